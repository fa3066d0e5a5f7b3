package dev.offcut.retrofit.stream;

import dev.offcut.agent.hooks.code.Calls;
import dev.offcut.agent.hooks.code.Calls.Call;
import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.Set;
import java.util.TreeSet;

/**
 * What can be done with a stream from outside: its methods that are not private, and what it gives
 * the rest of java.base besides. {@code ElementStream} passes on all of it that collections use,
 * and with a method more it might pass on too little.
 */
final class StreamMethods {
  /** Those that ElementStream passes on, or that nobody calls on it. */
  private static final Set<String> KNOWN =
      Set.of(
          "<init>()V",
          "<init>(Ljava/io/InputStream;)V",
          "available()I",
          "close()V",
          "defaultReadObject()V",
          "enableResolveObject(Z)Z",
          "getObjectInputFilter()Ljava/io/ObjectInputFilter;",
          "read()I",
          "read([BII)I",
          "readBoolean()Z",
          "readByte()B",
          "readChar()C",
          "readClassDescriptor()Ljava/io/ObjectStreamClass;",
          "readDouble()D",
          "readFields()Ljava/io/ObjectInputStream$GetField;",
          "readFloat()F",
          "readFully([B)V",
          "readFully([BII)V",
          "readInt()I",
          "readLine()Ljava/lang/String;",
          "readLong()J",
          "readObject()Ljava/lang/Object;",
          "readObjectOverride()Ljava/lang/Object;",
          "readShort()S",
          "readStreamHeader()V",
          "readTypeString()Ljava/lang/String;",
          "readUTF()Ljava/lang/String;",
          "readUnshared()Ljava/lang/Object;",
          "readUnsignedByte()I",
          "readUnsignedShort()I",
          "registerValidation(Ljava/io/ObjectInputValidation;I)V",
          "resolveClass(Ljava/io/ObjectStreamClass;)Ljava/lang/Class;",
          "resolveObject(Ljava/lang/Object;)Ljava/lang/Object;",
          "resolveProxyClass([Ljava/lang/String;)Ljava/lang/Class;",
          "setObjectInputFilter(Ljava/io/ObjectInputFilter;)V",
          "skipBytes(I)I");

  private static final String SECRETS = "jdk/internal/access/SharedSecrets";

  private static final Set<String> GIVEN =
      Set.of(
          "setJavaObjectInputStreamAccess(Ljdk/internal/access/JavaObjectInputStreamAccess;)V",
          "setJavaObjectInputStreamReadString"
              + "(Ljdk/internal/access/JavaObjectInputStreamReadString;)V");

  private StreamMethods() {}

  static void check(ClassFile stream, Calls calls) throws UnknownShapeException {
    Set<String> methods = new TreeSet<>();
    for (Member method : stream.methods()) {
      if ((method.access & (Member.PRIVATE | Member.STATIC)) == 0) {
        methods.add(method.name() + method.type());
      }
    }
    Set<String> given = new TreeSet<>();
    for (Call call : calls.all()) {
      String secret = calls.ownMethod(call, SECRETS);
      if (!secret.isEmpty()) {
        given.add(secret);
      }
    }
    if (!methods.equals(KNOWN) || !given.equals(GIVEN)) {
      methods.removeAll(KNOWN);
      throw new UnknownShapeException(
          "it can do more or less than the agent knows: " + methods + given);
    }
  }
}
