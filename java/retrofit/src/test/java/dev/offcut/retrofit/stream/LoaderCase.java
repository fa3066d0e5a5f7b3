package dev.offcut.retrofit.stream;

import static dev.offcut.retrofit.stream.StreamCases.attempt;
import static dev.offcut.retrofit.stream.StreamCases.bytes;
import static dev.offcut.retrofit.stream.StreamCases.leak;
import static dev.offcut.retrofit.stream.StreamCases.loader;
import static dev.offcut.retrofit.stream.StreamCases.open;
import static dev.offcut.retrofit.stream.StreamCases.step;

import dev.offcut.retrofit.stream.Fixtures.Calls;
import dev.offcut.retrofit.stream.Fixtures.Catches;
import dev.offcut.retrofit.stream.Fixtures.Defaults;
import dev.offcut.retrofit.stream.Fixtures.Derived;
import dev.offcut.retrofit.stream.Fixtures.External;
import dev.offcut.retrofit.stream.Fixtures.Fails;
import dev.offcut.retrofit.stream.Fixtures.Fourth;
import dev.offcut.retrofit.stream.Fixtures.Other;
import dev.offcut.retrofit.stream.Fixtures.Plain;
import dev.offcut.retrofit.stream.Fixtures.ReadOne;
import dev.offcut.retrofit.stream.Fixtures.Step;
import dev.offcut.retrofit.stream.Fixtures.Third;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.rmi.MarshalledObject;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** What a stream may be read with, as far as class loaders matter. */
enum LoaderCase {
  /** One stream is read by code of several loaders, one after the other. */
  inTurn(
      () -> {
        ObjectInputStream in = open(new Plain(), new Other(), new Third(), new Fourth());
        read(loader("L1"), in);
        read(loader("L2"), in);
        attempt("app", in::readObject);
        read(loader("L3"), in);
      }),
  calls(() -> nested(new Calls(new Plain(), new Plain()), Calls.class)),
  defaults(() -> nested(new Defaults(new Plain()), Defaults.class)),
  fields(() -> nested(new Fixtures.Fields(new Plain()), Fixtures.Fields.class)),
  external(
      () -> {
        External external = new External();
        external.part = new Plain();
        nested(external, External.class);
      }),
  /** The frame is of the class that declares readObject, not of the object's. */
  declaringClass(
      () -> {
        CaseLoader l2 = loader("L2", Calls.class);
        CaseLoader l1 = loader("L1", Derived.class).with(l2, Calls.class);
        read(l1, open(new Object[] {new Derived(new Plain()), new Other()}));
      }),
  unshared(
      () -> {
        ObjectInputStream in = open(new Object[] {new Plain(), new Other()}, new Third());
        attempt("unshared", () -> step(loader("L1"), Fixtures.ReadUnshared.class).read(in));
        attempt("unshared", () -> step(loader("L2"), Fixtures.ReadUnshared.class).read(in));
      }),
  readResolve(
      () ->
          nested(
              new Calls(new Fixtures.Resolves(), new Plain(), new Other()),
              Fixtures.Resolves.class)),
  validation(
      () -> {
        CaseLoader l2 = loader("L2", Fixtures.Validates.class);
        CaseLoader l1 = loader("L1").with(l2, Fixtures.Validates.class);
        ObjectInputStream in = open(new Fixtures.Validates(), new Plain(), new Other());
        read(l1, in);
        read(l1, in);
      }),
  filter(
      () -> {
        ObjectInputStream in =
            leak(
                new ObjectInputStream(bytes(new Object[] {new Plain(), new Other()}, new Third())));
        in.setObjectInputFilter(
            info -> {
              StreamCases.again("filter", ObjectInputStream::readObject);
              return ObjectInputFilter.Status.UNDECIDED;
            });
        read(loader("L1"), in);
        read(loader("L2"), in);
      }),
  resolveObject(
      () ->
          through(
              Fixtures.Replacing.class,
              new Calls(new Plain(), new Other()),
              new Third(),
              new Fourth())),
  subclass(
      () ->
          through(Fixtures.SubStream.class, new Object[] {new Plain(), new Other()}, new Third())),
  superFromHelper(
      () ->
          through(Fixtures.ViaHelper.class, new Object[] {new Plain(), new Other()}, new Third())),
  exception(
      () -> {
        CaseLoader l2 = loader("L2", Fails.class);
        CaseLoader l3 = loader("L3", Catches.class).with(l2, Fails.class);
        CaseLoader l1 = loader("L1").with(l3, Catches.class).with(l2, Fails.class);
        ObjectInputStream in =
            open(new Object[] {new Catches(new Fails(new Plain()), new Other()), new Third()});
        read(l1, in);
        ObjectInputStream second = open(new Fails(new Plain()), new Other());
        read(l1, second);
        read(loader("L4"), second);
      }),
  missingClass(
      () -> {
        CaseLoader l1 = loader("L1").without(Other.class);
        ObjectInputStream in =
            open(new Object[] {new Plain(), new Other(), new Third()}, new Fourth());
        read(l1, in);
        read(l1, in);
      }),
  /** How often a loader is asked, for what it has and for what it has not. */
  loaderIsAsked(
      () -> {
        CaseLoader l1 = loader("L1").without(Other.class);
        for (int i = 0; i < 5; i++) {
          read(l1, open(new Plain()));
          read(l1, open(new Other()));
          read(l1, open(new Third(), new Third()));
        }
        for (Class<?> type : List.of(Plain.class, Other.class, Third.class)) {
          System.out.println("asked " + l1.asked(type));
        }
      }),
  methodReference(() -> onThread(Fixtures.Reference.class)),
  reflection(
      () -> {
        Object[] many = new Object[80];
        for (int i = 0; i < many.length; i++) {
          many[i] = i % 2 == 0 ? new Plain() : new Object[] {new Other(), new Third()};
        }
        ObjectInputStream in = open(many);
        attempt("app", () -> step(loader("L1"), Fixtures.Reflective.class).read(in));
        attempt("app", () -> step(loader("L2"), Fixtures.Reflective.class).read(in));
      }),
  proxies(
      () -> {
        ClassLoader app = LoaderCase.class.getClassLoader();
        Object open = StreamCases.proxy(app, new Handler(), Marker.class, Serializable.class);
        Object hidden = StreamCases.proxy(app, new Handler(), Fixtures.Hidden.class);
        ObjectInputStream in =
            open(new Object[] {open, new Plain()}, new Object[] {hidden, new Other()});
        CaseLoader l1 = loader("L1", Marker.class);
        read(l1, in);
        read(l1, in);
        read(loader("L2", Marker.class), open(open, hidden));
        read(loader("L3").without(Marker.class), open(open, new Plain()));
      }),
  /** No frame but the JDK's: classes come from the platform loader, and from no other. */
  platformLoader(
      () -> {
        ObjectInputStream in =
            open(
                new ArrayList<>(List.of(new BigInteger("1"), new java.sql.Date(0))),
                new java.sql.Time(0),
                new Plain(),
                new ArrayList<>(List.of(new Calls(new Other()), new Third())),
                new Fourth());
        Callable<?> alone = StreamCases.alone(in);
        attempt("thread", () -> StreamCases.onThread(alone));
        read(loader("L1"), in);
        attempt("thread", () -> StreamCases.onThread(alone));
        attempt("thread", () -> StreamCases.onThread(alone));
        attempt("here", alone::call);
      }),
  /** Such a thread reads on while code of the program is reading. */
  platformLoaderBetween(() -> handedOver(StreamCases::alone)),
  virtualThread(
      () -> {
        Method start;
        try {
          start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
          System.out.println("no virtual threads");
          return;
        }
        ObjectInputStream in =
            open(new Object[] {new Plain(), new Calls(new Other())}, new Third());
        for (String name : List.of("L1", "L2")) {
          Runnable reads =
              () -> attempt("virtual", () -> step(loader(name), ReadOne.class).read(in));
          ((Thread) start.invoke(null, reads)).join();
        }
        Step l3 = step(loader("L3"), Fixtures.Reference.class);
        ObjectInputStream second = open(new Object[] {new Plain(), new Other()});
        java.util.concurrent.FutureTask<?> task =
            new java.util.concurrent.FutureTask<>((Callable<?>) l3.read(second));
        ((Thread) start.invoke(null, task)).join();
        attempt("virtual", task::get);
      }),
  twoThreads(
      () -> {
        Step step = step(loader("L3"), ReadOne.class);
        handedOver(stream -> () -> step.read(stream));
      }),
  secondStream(
      () -> {
        ObjectInputStream in = open(new Calls(new Fixtures.Resolves(), new Plain()), new Other());
        leak(new ObjectInputStream(bytes(new Third(), new Plain())));
        CaseLoader l2 = loader("L2", Fixtures.Resolves.class);
        read(loader("L1").with(l2, Fixtures.Resolves.class), in);
        read(loader("L3"), in);
      }),
  kinds(
      () -> {
        CaseLoader l1 = loader("L1", Fixtures.Pair.class, Fixtures.Colour.class);
        read(l1, open(new Fixtures.Pair(new Plain(), new Fixtures.Pair(new Other(), ""))));
        read(l1, open(Fixtures.Colour.RED, new Plain()));
        read(l1, open((Object) new Plain[][] {{new Other()}, {}}));
        read(l1, open((Object) new int[][] {{1}}));
        read(l1, open((Object) new Class<?>[] {int.class, void.class, Plain.class, long[].class}));
        read(l1, open(new SimpleEntry<>(1, new Third())));
      }),
  /** A server: modules whose classes read each other's parts, deep and then shallow again. */
  modules(
      () -> {
        CaseLoader l3 = loader("L3", External.class);
        CaseLoader l2 = loader("L2", Defaults.class).with(l3, External.class);
        CaseLoader l1 = loader("L1", Calls.class).with(l2, Defaults.class).with(l3, External.class);
        External external = new External();
        external.part = new ArrayList<>(List.of(new Plain(), new Defaults(new Fourth())));
        Object middle = new Defaults(new ArrayList<>(List.of(external, new Other())));
        read(l1, open(new Calls(middle, new Third()), new Fourth()));
      }),
  marshalled(
      () -> {
        MarshalledObject<Object> object =
            new MarshalledObject<>(new Object[] {new Calls(new Plain()), new Other(), int.class});
        CaseLoader l2 = loader("L2", Calls.class);
        ClassLoader l1 = loader("L1", Get.class).with(l2, Calls.class);
        for (ClassLoader loader : List.of(l1, LoaderCase.class.getClassLoader(), l2)) {
          attempt("get", () -> get(loader, object));
          attempt("get", () -> StreamCases.onThread(() -> get(loader, object)));
        }
      }),
  /** Nothing holds a loader whose classes were read. */
  unload(
      () -> {
        ObjectInputStream in = open(new Object[] {new Plain(), new Other()}, new Third());
        WeakReference<ClassLoader> loader = readInVain(in);
        for (int i = 0; i < 100 && loader.get() != null; i++) {
          System.gc();
          Thread.sleep(10);
        }
        System.out.println("gone " + (loader.get() == null));
        read(loader("L2"), in);
      });

  @SuppressWarnings("ImmutableEnumChecker") // no case has a state
  final StreamCases.Case what;

  LoaderCase(StreamCases.Case what) {
    this.what = what;
  }

  private static WeakReference<ClassLoader> readInVain(ObjectInputStream in) throws Exception {
    ClassLoader l1 = loader("L1");
    read(l1, in);
    return new WeakReference<>(l1);
  }

  /** Calls get of an object of RMI. */
  public static final class Get implements Callable<Object> {
    private final MarshalledObject<?> object;

    public Get(MarshalledObject<?> object) {
      this.object = object;
    }

    @Override
    public Object call() throws Exception {
      return object.get();
    }
  }

  /** An interface. */
  public interface Marker {}

  /** Does nothing. */
  public static final class Handler implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) {
      return proxy;
    }
  }

  static void read(ClassLoader loader, ObjectInputStream in) throws Exception {
    Step step = step(loader, ReadOne.class);
    attempt(loader.getName(), () -> step.read(in));
  }

  private static Object get(ClassLoader loader, MarshalledObject<?> object) throws Exception {
    Callable<?> get =
        (Callable<?>)
            loader
                .loadClass(Get.class.getName())
                .getConstructor(MarshalledObject.class)
                .newInstance(object);
    return get.call();
  }

  private static void onThread(Class<? extends Step> type) throws Exception {
    ObjectInputStream in = open(new Object[] {new Plain(), new Other()}, new Third());
    for (String name : List.of("L1", "L2")) {
      Callable<?> reads = (Callable<?>) step(loader(name), type).read(in);
      attempt(name, () -> StreamCases.onThread(reads));
    }
  }

  static void nested(Object part, Class<?> type) throws Exception {
    CaseLoader l2 = loader("L2", type);
    CaseLoader l1 = loader("L1").with(l2, type);
    read(l1, open(new Object[] {part, new Other(), new Third()}, new Fourth()));
    read(l1, open(part, new Plain()));
  }

  /** Reads from a stream whose class is in a loader of its own. */
  private static void through(Class<? extends ObjectInputStream> type, Object... objects)
      throws Exception {
    Class<?> own = loader("L2", type).loadClass(type.getName());
    Object stream = own.getConstructor(InputStream.class).newInstance(bytes(objects));
    ObjectInputStream in = StreamCases.logging((ObjectInputStream) stream);
    read(loader("L1"), in);
    read(loader("L3"), in);
  }

  /** Reads what hands its stream over to another thread, which reads like this. */
  private static void handedOver(Function<ObjectInputStream, Callable<?>> reads) throws Exception {
    CaseLoader l2 = loader("L2", Fixtures.HandsOver.class);
    CaseLoader l1 = loader("L1").with(l2, Fixtures.HandsOver.class);
    StreamCases.otherReads(reads);
    read(l1, open(new Object[] {new Fixtures.HandsOver(), new Fourth()}));
  }
}
