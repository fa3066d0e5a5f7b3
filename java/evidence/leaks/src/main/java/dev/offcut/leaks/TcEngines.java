package dev.offcut.leaks;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import javax.net.ssl.SSLEngine;

/** A client that asks an engine of OpenSSL for its protocols and does not release it. */
public final class TcEngines {
  private static final int ENGINES = 8_000;

  private TcEngines() {}

  /** The second argument is the provider: one has a finalizer, the other counts references. */
  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    SslProvider provider = SslProvider.valueOf(args[1]);
    SslContext context = SslContextBuilder.forClient().sslProvider(provider).build();
    Observer.begin();
    long sum = 0;
    for (int i = 0; i < ENGINES; i++) {
      sum += protocols(context, fixed);
    }
    Observer.end();
    System.out.println("sum " + sum);
  }

  private static int protocols(SslContext context, boolean fixed) {
    SSLEngine engine = context.newEngine(ByteBufAllocator.DEFAULT, "example.test", 443); // the leak
    int protocols = engine.getEnabledProtocols().length;
    if (fixed) {
      ReferenceCountUtil.release(engine);
    }
    return protocols;
  }
}
