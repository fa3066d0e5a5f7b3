package dev.offcut.retrofit.stream;

import static dev.offcut.retrofit.stream.LoaderCase.read;
import static dev.offcut.retrofit.stream.StreamCases.attempt;
import static dev.offcut.retrofit.stream.StreamCases.loader;
import static dev.offcut.retrofit.stream.StreamCases.logging;
import static dev.offcut.retrofit.stream.StreamCases.open;
import static dev.offcut.retrofit.stream.StreamCases.step;

import dev.offcut.retrofit.stream.Fixtures.Calls;
import dev.offcut.retrofit.stream.Fixtures.Catches;
import dev.offcut.retrofit.stream.Fixtures.Defaults;
import dev.offcut.retrofit.stream.Fixtures.Derived;
import dev.offcut.retrofit.stream.Fixtures.Fails;
import dev.offcut.retrofit.stream.Fixtures.Fourth;
import dev.offcut.retrofit.stream.Fixtures.Holder;
import dev.offcut.retrofit.stream.Fixtures.Other;
import dev.offcut.retrofit.stream.Fixtures.Plain;
import dev.offcut.retrofit.stream.Fixtures.ReadOne;
import dev.offcut.retrofit.stream.Fixtures.Step;
import dev.offcut.retrofit.stream.Fixtures.Third;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What other runtimes that keep the loader got wrong, as far as it was published: OpenJ9 in four
 * reports of its users, and Dragonwell in six ways that its source shows. Each in a JVM of its own.
 */
enum PublishedCase {
  /**
   * OpenJ9 7332, in WildFly: fields within fields without code, after a part of another module read
   * itself. The loader of that module was asked for the next class, which it does not have.
   */
  fieldsAfterCode(
      () -> {
        CaseLoader l2 = loader("L2", Calls.class).without(Third.class, Fourth.class);
        CaseLoader l1 = loader("L1", Holder.class).with(l2, Calls.class);
        Holder account = new Holder(new Holder(new Third(), new Fourth()), "account");
        read(l1, open(new Holder(new Calls(new Plain(), new Other()), account)));
      }),
  /** OpenJ9 8454: within code of another loader, each call of readObject must look anew. */
  everyCallWithinCode(
      () -> {
        CaseLoader l3 = loader("L3", Calls.class).without(Fourth.class);
        CaseLoader l2 = loader("L2", Defaults.class).with(l3, Calls.class).without(Third.class);
        CaseLoader l1 = loader("L1", Holder.class).with(l2, Defaults.class).with(l3, Calls.class);
        l3.with(l2, Defaults.class);
        Calls calls = new Calls(new Third(), new Defaults(new Plain()), new Other());
        ObjectInputStream in = open(new Holder(calls, new Fourth()), new Defaults(calls));
        read(l1, in);
        read(l2, in);
      }),
  /** OpenJ9 9912: what defaultReadObject reads in the code of another loader, and what follows. */
  defaultsWithinCode(
      () -> {
        CaseLoader l2 = loader("L2", Defaults.class, Holder.class).without(Fourth.class);
        CaseLoader l1 = loader("L1", Calls.class).with(l2, Defaults.class).without(Third.class);
        Calls documents = new Calls(new Other(), new Defaults(new Holder(new Third(), "")));
        read(l1, open((Object) new Object[] {new Defaults(new Plain()), documents, new Fourth()}));
      }),
  /** OpenJ9 20916: the graph of the report, read by the program and by another loader. */
  lists(
      () -> {
        Object a = new Holder(List.of(0), new Plain());
        ObjectInputStream in = open(List.of(), List.of(a, new Other()));
        attempt("app", in::readObject);
        attempt("app", in::readObject);
        CaseLoader l1 = loader("L1", Holder.class);
        in = open(List.of(), List.of(a, new Other()));
        read(l1, in);
        read(l1, in);
      }),
  /** Dragonwell: nothing is cleared when a program begins to read. */
  twoReaders(
      () -> {
        ObjectInputStream in = open(new Plain(), new Third(), new Fourth());
        read(loader("L1").without(Third.class), in);
        read(loader("L2").without(Plain.class), in);
        attempt("app", in::readObject);
      }),
  /** Dragonwell: the loader of the object's class counts, not that of the class with the code. */
  classOfTheCode(
      () -> {
        CaseLoader l2 = loader("L2", Calls.class).without(Third.class);
        CaseLoader l1 = loader("L1", Derived.class).with(l2, Calls.class).without(Fourth.class);
        read(l1, open(new Object[] {new Derived(new Plain(), new Fourth()), new Third()}));
        CaseLoader l4 = loader("L4", Derived.class).with(l1, Calls.class);
        read(l4, open(new Object[] {new Derived(new Plain()), new Fourth()}));
      }),
  /** Dragonwell: an exception leaves the loader of the code that it came out of. */
  afterAnException(
      () -> {
        CaseLoader l2 = loader("L2", Fails.class).without(Third.class);
        CaseLoader l1 = loader("L1", Catches.class).with(l2, Fails.class);
        Catches catches = new Catches(new Fails(new Plain()), new Other(), new Third());
        read(l1, open((Object) new Object[] {catches, new Fourth()}));
      }),
  /** Dragonwell: readResolve and readExternal of another loader. */
  otherCallbacks(
      () -> {
        CaseLoader l2 =
            loader("L2", Fixtures.Resolves.class, Fixtures.External.class).without(Third.class);
        CaseLoader l1 =
            loader("L1", Calls.class).with(l2, Fixtures.Resolves.class, Fixtures.External.class);
        Fixtures.External external = new Fixtures.External();
        external.part = new Other();
        Calls calls = new Calls(new Fixtures.Resolves(), new Plain(), external, new Third());
        read(l1, open(calls, new Fourth()));
      }),
  /** Dragonwell: readObjectNoData of another loader. */
  noData(
      () -> {
        CaseLoader l2 = loader("L2", Fixtures.NoData.class).without(Third.class);
        CaseLoader l1 =
            loader("L1", Fixtures.Later.class, Calls.class).with(l2, Fixtures.NoData.class);
        byte[] bytes =
            StreamCases.write(
                new Calls(new Fixtures.Early(), new Plain(), new Third()), new Other());
        String later = new String(bytes, StandardCharsets.ISO_8859_1).replace("$Early", "$Later");
        InputStream in = new ByteArrayInputStream(later.getBytes(StandardCharsets.ISO_8859_1));
        ObjectInputStream stream = logging(new ObjectInputStream(in));
        read(l1, stream);
        read(l1, stream);
      }),
  /** Dragonwell: two threads have one loader. */
  twoThreads(
      () -> {
        CaseLoader l2 = loader("L2", Fixtures.HandsOver.class).without(Fourth.class);
        CaseLoader l1 = loader("L1", Holder.class).with(l2, Fixtures.HandsOver.class);
        Step step = step(loader("L3").without(Third.class), ReadOne.class);
        StreamCases.otherReads(stream -> () -> step.read(stream));
        read(l1, open(new Holder(new Fixtures.HandsOver(), new Fourth())));
      }),
  /** Dragonwell: a subclass that calls super.resolveClass is not the latest code any more. */
  superOfASubclass(
      () -> {
        CaseLoader l2 = loader("L2", Fixtures.ViaHelper.class).without(Third.class);
        InputStream bytes =
            StreamCases.bytes(new Object[] {new Plain(), new Fourth()}, new Third());
        ObjectInputStream in = LoaderCase.stream(l2, Fixtures.ViaHelper.class, bytes);
        read(loader("L1").without(Fourth.class), in);
        read(loader("L3"), in);
      });

  @SuppressWarnings("ImmutableEnumChecker") // no case has a state
  final StreamCases.Case what;

  PublishedCase(StreamCases.Case what) {
    this.what = what;
  }
}
