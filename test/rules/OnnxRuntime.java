import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;

// library: ONNX Runtime
// counts: ai.onnxruntime.OnnxTensor opened=20 closed=12 lost=8
// counts: ai.onnxruntime.OrtSession$SessionOptions opened=4 closed=2 lost=2
// counts: ai.onnxruntime.OrtSession$RunOptions opened=4 closed=2 lost=2
public class OnnxRuntime {
  public static void main(String[] args) throws Exception {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    for (int i = 0; i < 20; i++) {
      tensor(environment, i < 12);
    }
    for (int i = 0; i < 4; i++) {
      options(i < 2);
    }
  }

  static void tensor(OrtEnvironment environment, boolean close) throws Exception {
    OnnxTensor tensor = OnnxTensor.createTensor(environment, new float[] {1, 2, 3});
    if (close) {
      tensor.close();
    }
  }

  static void options(boolean close) throws Exception {
    OrtSession.SessionOptions session = new OrtSession.SessionOptions();
    OrtSession.RunOptions run = new OrtSession.RunOptions();
    if (close) {
      run.close();
      session.close();
    }
  }
}
