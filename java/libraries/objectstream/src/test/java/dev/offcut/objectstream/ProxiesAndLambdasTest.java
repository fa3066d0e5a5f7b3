package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.objectstream.Model.Api;
import dev.offcut.objectstream.Model.Handler;
import dev.offcut.objectstream.Model.SerializableSupplier;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Off, until they are switched on for certain interfaces and classes. */
class ProxiesAndLambdasTest {
  private static final StreamPolicy PROXIES =
      StreamPolicy.allow(Handler.class).allowProxies(Api.class).build();

  @Test
  void readObject_ofProxy_refusesByDefault() {
    StreamPolicy policy = StreamPolicy.allow(Api.class, Handler.class).build();
    Streams.assertRefused(policy, Model.proxy())
        .hasMessageContaining("add allowProxies(dev.offcut.objectstream.Model.Api.class)");
  }

  @Test
  void readObject_ofProxyWithoutInterfaces_refuses() {
    byte[] bytes =
        Streams.byHand(
            out -> {
              out.writeByte(ObjectStreamConstants.TC_OBJECT);
              out.writeByte(ObjectStreamConstants.TC_PROXYCLASSDESC);
              out.writeInt(0);
              out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
              out.writeByte(ObjectStreamConstants.TC_NULL);
            });
    for (StreamPolicy policy : List.of(StreamPolicy.builder().build(), PROXIES)) {
      Streams.assertRefused(policy, bytes).hasMessageContaining("a proxy without interfaces");
    }
  }

  @Test
  void readObject_ofAllowedProxy_isTheProxy() throws Exception {
    Object read = Streams.pass(PROXIES, Model.proxy());
    assertThat(((Api) read).ask()).isEqualTo("answer");
  }

  @Test
  void readObject_ofProxyWithAnotherInterface_refuses() {
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Api.class, Comparable.class},
            new Handler());
    Streams.assertRefused(PROXIES, proxy).hasMessageContaining("java.lang.Comparable");
  }

  @Test
  void readObject_ofLambda_refusesByDefault() {
    StreamPolicy policy = StreamPolicy.allow(Model.class).build();
    Streams.assertRefused(policy, Model.lambda("a")).hasMessageContaining("allowLambdas");
  }

  @Test
  void readObject_ofAllowedLambda_isTheLambda() throws Exception {
    StreamPolicy policy = StreamPolicy.builder().allowLambdas(Model.class).build();
    Object read = Streams.pass(policy, Model.lambda("a"));
    assertThat(((Supplier<?>) read).get()).isEqualTo("a");
  }

  @Test
  void readObject_ofLambdaWrittenElsewhere_refuses() {
    StreamPolicy policy =
        StreamPolicy.allow(ProxiesAndLambdasTest.class).allowLambdas(Model.class).build();
    SerializableSupplier<String> elsewhere = () -> "elsewhere";
    Streams.assertRefused(policy, (Serializable) elsewhere)
        .hasMessageContaining("ProxiesAndLambdasTest: a lambda written in it");
  }
}
