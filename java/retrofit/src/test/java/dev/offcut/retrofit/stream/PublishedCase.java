package dev.offcut.retrofit.stream;

import static dev.offcut.retrofit.stream.LoaderCase.read;
import static dev.offcut.retrofit.stream.StreamCases.attempt;
import static dev.offcut.retrofit.stream.StreamCases.loader;
import static dev.offcut.retrofit.stream.StreamCases.logging;
import static dev.offcut.retrofit.stream.StreamCases.open;

import dev.offcut.retrofit.stream.Fixtures.Calls;
import dev.offcut.retrofit.stream.Fixtures.Defaults;
import dev.offcut.retrofit.stream.Fixtures.Fourth;
import dev.offcut.retrofit.stream.Fixtures.Holder;
import dev.offcut.retrofit.stream.Fixtures.Other;
import dev.offcut.retrofit.stream.Fixtures.Plain;
import dev.offcut.retrofit.stream.Fixtures.Third;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What other runtimes that keep the loader got wrong and {@link LoaderCase} does not have: OpenJ9
 * in four reports of its users, and Dragonwell by its source.
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
      });

  @SuppressWarnings("ImmutableEnumChecker") // no case has a state
  final StreamCases.Case what;

  PublishedCase(StreamCases.Case what) {
    this.what = what;
  }
}
