package dev.offcut.retrofit.stream;

import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Constants;
import dev.offcut.agent.hooks.code.Opcode;
import java.io.ByteArrayOutputStream;

/**
 * The code of an entry without arguments: the memo is cleared, and restored whatever happens.
 *
 * <pre>
 *       aload_0                  // enter(this)
 *       invokestatic enter
 *       astore_1
 * from: …                        // the calls, which leave what is returned
 * to:   aload_0                  // this.offcutMemo = the one before
 *       aload_1
 *       putfield offcutMemo
 *       areturn                  // or return
 * other: astore_2                // a Throwable
 *       aload_0
 *       aload_1
 *       putfield offcutMemo
 *       aload_2
 *       athrow
 * </pre>
 */
final class EntryCode {
  private static final int STACK = 3;
  private static final int LOCALS = 3;

  private final Constants constants;
  private final ByteArrayOutputStream insns = new ByteArrayOutputStream();

  private EntryCode(Constants constants) {
    this.constants = constants;
  }

  /** The code around some calls; the instruction that returns. */
  static Code around(Constants constants, byte[] calls, int end) {
    return new EntryCode(constants).write(calls, end);
  }

  private Code write(byte[] calls, int end) {
    String memo = StreamClass.MEMO_TYPE;
    String enter = "(L" + StreamClass.NAME + ";)" + memo;
    int field = constants.addField(StreamClass.NAME, StreamClass.MEMO, memo);
    insns.write(Opcode.ALOAD_0);
    write(Opcode.INVOKESTATIC, constants.addMethod(StreamClass.LATEST_LOADER, "enter", enter));
    insns.write(Opcode.ASTORE_1);
    int from = insns.size();
    insns.write(calls, 0, calls.length);
    int to = insns.size();
    restore(field);
    insns.write(end);
    int other = insns.size();
    insns.write(Opcode.ASTORE_2);
    restore(field);
    insns.write(Opcode.ALOAD_2);
    insns.write(Opcode.ATHROW);
    byte[] handlers = numbers(from, to, other, 0);
    Code code = new Code(constants, STACK, LOCALS, insns.toByteArray(), handlers);
    code.addPart("StackMapTable", frame(other));
    return code;
  }

  private void restore(int field) {
    insns.write(Opcode.ALOAD_0);
    insns.write(Opcode.ALOAD_1);
    write(Opcode.PUTFIELD, field);
  }

  private void write(int opcode, int index) {
    insns.write(opcode);
    insns.write(index >> 8);
    insns.write(index);
  }

  /** One frame, in full: the stream and the memo; on the stack what was thrown. */
  private byte[] frame(int place) {
    int stream = constants.addClass(StreamClass.NAME);
    int memo = constants.addClass(StreamClass.MEMO_CLASS);
    int thrown = constants.addClass("java/lang/Throwable");
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(new byte[] {0, 1, (byte) 255});
    frame.writeBytes(numbers(place, 2));
    object(frame, stream);
    object(frame, memo);
    frame.writeBytes(numbers(1));
    object(frame, thrown);
    return frame.toByteArray();
  }

  private static void object(ByteArrayOutputStream frame, int type) {
    frame.write(7);
    frame.writeBytes(numbers(type));
  }

  private static byte[] numbers(int... numbers) {
    byte[] bytes = new byte[2 * numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      bytes[2 * i] = (byte) (numbers[i] >> 8);
      bytes[2 * i + 1] = (byte) numbers[i];
    }
    return bytes;
  }
}
