package dev.offcut.leaks;

import static com.microsoft.ml.lightgbm.lightgbmlib.*;

import com.microsoft.ml.lightgbm.SWIGTYPE_p_float;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_int;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_long_long;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_p_void;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_void;
import com.microsoft.ml.lightgbm.lightgbmlib;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A model is saved to a string; the library's wrapper keeps the native buffer of each string. */
public final class LgbmModels {
  private static final int SAVES = 1_000;
  private static final int ROWS = 500;
  private static final int COLUMNS = 10;

  private LgbmModels() {}

  @SuppressWarnings("restricted") // the library does not load itself
  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    try (Scratch scratch = Scratch.create()) {
      for (String name : new String[] {"lib_lightgbm.so", "lib_lightgbm_swig.so"}) {
        Path library = scratch.path().resolve(name);
        try (InputStream in = lightgbmlib.class.getResourceAsStream("linux/x86_64/" + name)) {
          Files.copy(in, library);
        }
        System.load(library.toString());
      }
      SWIGTYPE_p_void model = train();
      Path file = scratch.path().resolve("model.txt");
      Observer.begin();
      long sum = 0;
      for (int i = 0; i < SAVES; i++) {
        sum += fixed ? saveToFile(model, file) : saveToString(model);
      }
      Observer.end();
      System.out.println("sum " + sum);
    }
  }

  private static long saveToString(SWIGTYPE_p_void model) {
    SWIGTYPE_p_long_long length = new_int64_tp();
    String text = LGBM_BoosterSaveModelToStringSWIG(model, 0, -1, 0, 65_536, length); // the leak
    delete_int64_tp(length);
    return text.length();
  }

  private static long saveToFile(SWIGTYPE_p_void model, Path file) throws Exception {
    check(LGBM_BoosterSaveModel(model, 0, -1, 0, file.toString()));
    return Files.size(file);
  }

  private static SWIGTYPE_p_void train() {
    SWIGTYPE_p_float values = new_floatArray(ROWS * COLUMNS);
    SWIGTYPE_p_float labels = new_floatArray(ROWS);
    Random random = new Random(3);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
      float value = random.nextFloat();
      floatArray_setitem(values, i, value);
      if (i % COLUMNS == 0) {
        floatArray_setitem(labels, i / COLUMNS, value > 0.5f ? 1 : 0);
      }
    }
    SWIGTYPE_p_p_void made = voidpp_handle();
    SWIGTYPE_p_void x = float_to_voidp_ptr(values);
    check(LGBM_DatasetCreateFromMat(x, 0, ROWS, COLUMNS, 1, "verbosity=-1", null, made));
    SWIGTYPE_p_void examples = voidpp_value(made);
    check(LGBM_DatasetSetField(examples, "label", float_to_voidp_ptr(labels), ROWS, 0));
    String settings = "objective=binary verbosity=-1 num_threads=1";
    check(LGBM_BoosterCreate(examples, settings, made));
    SWIGTYPE_p_void model = voidpp_value(made);
    SWIGTYPE_p_int finished = new_intp();
    for (int i = 0; i < 20; i++) {
      check(LGBM_BoosterUpdateOneIter(model, finished));
    }
    return model;
  }

  private static void check(int status) {
    if (status != 0) {
      throw new IllegalStateException(LGBM_GetLastError());
    }
  }
}
