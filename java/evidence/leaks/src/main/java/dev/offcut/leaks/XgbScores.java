package dev.offcut.leaks;

import java.util.Map;
import java.util.Random;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** A scoring service that makes a matrix for each request and does not dispose of it. */
public final class XgbScores {
  private static final int REQUESTS = 3_000;
  private static final int ROWS = 1_000;
  private static final int COLUMNS = 14;
  private static final float[] REQUEST = new float[ROWS * COLUMNS];

  private XgbScores() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Booster model = train();
    Observer.begin();
    float sum = 0;
    for (int i = 0; i < REQUESTS; i++) {
      sum += score(model, fixed);
    }
    Observer.end();
    System.out.println("sum " + sum);
  }

  private static Booster train() throws XGBoostError {
    Random random = new Random(7);
    for (int i = 0; i < REQUEST.length; i++) {
      REQUEST[i] = random.nextFloat();
    }
    float[] labels = new float[ROWS];
    for (int i = 0; i < ROWS; i++) {
      labels[i] = REQUEST[i * COLUMNS] > 0.5f ? 1 : 0;
    }
    DMatrix examples = new DMatrix(REQUEST, ROWS, COLUMNS, Float.NaN);
    examples.setLabel(labels);
    Map<String, Object> settings =
        Map.of("objective", "binary:logistic", "max_depth", 3, "nthread", 1, "verbosity", 0);
    Booster model = XGBoost.train(examples, settings, 5, Map.of(), null, null);
    examples.dispose();
    return model;
  }

  private static float score(Booster model, boolean fixed) throws XGBoostError {
    DMatrix matrix = new DMatrix(REQUEST, ROWS, COLUMNS, Float.NaN); // the leak
    float score = model.predict(matrix)[0][0]; // the leak: its predictions
    if (fixed) {
      matrix.dispose();
    }
    return score;
  }
}
