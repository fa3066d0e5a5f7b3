package dev.offcut.agent.hooks.code;

import java.util.ArrayList;
import java.util.List;

/** The calls of methods of classes, in all of a class file or in some of its methods. */
public final class Calls {
  private final Constants constants;
  private final List<Call> all = new ArrayList<>();

  /** Looks through the code of some methods, as it was read. */
  public Calls(ClassFile type, List<Member> methods) throws UnknownShapeException {
    constants = type.constants();
    for (Member method : methods) {
      if (method.hasCode()) {
        method.calls(all);
      }
    }
  }

  /** All. */
  public List<Call> all() {
    return all;
  }

  /** Those of one method. */
  public List<Call> of(int opcode, String owner, String name, String type)
      throws UnknownShapeException {
    List<Call> found = new ArrayList<>();
    int called = constants.method(owner, name, type);
    for (Call call : all) {
      if (call.called() == called && call.opcode() == opcode) {
        found.add(call);
      }
    }
    return found;
  }

  /** Name and type of what is called, if it belongs to the class; else nothing. */
  public String ownMethod(Call call, String owner) {
    return constants.ownMethod(call.called(), owner);
  }

  /** A call: where it is in the code of its method, and the index of what is called. */
  public record Call(Member method, int at, int opcode, int called) {}
}
