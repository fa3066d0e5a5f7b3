package dev.offcut.apps;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A Netty server that echoes, and clients that load it over loopback: direct buffers.
 *
 * <p>Each side has an event loop of its own. If both shared two loops, the moment at which the
 * first connections are accepted would decide how many connections have both ends on one loop, and
 * so how many context switches the whole run takes.
 */
public final class EchoUnderLoad {
  private static final int CLIENTS = 8;
  private static final int MESSAGE_BYTES = 8 * 1024;
  private static final int MESSAGES_A_CLIENT = 500;

  /** On the way at once, for each client. */
  private static final int WINDOW = 4;

  /** Longer than a run takes on a busy machine. */
  private static final int MOST_SECONDS = 120;

  private final AtomicLong received = new AtomicLong();

  private final ChannelGroup accepted = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);

  private EchoUnderLoad() {}

  /** {@code [TIMES]}: each time new connections. */
  public static void main(String[] args) throws Exception {
    int times = Times.of(args);
    EchoUnderLoad load = new EchoUnderLoad();
    EventLoopGroup servers = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    EventLoopGroup clients = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Channel server = load.listen(servers);
      for (int i = 0; i < times; i++) {
        load.run(clients, (InetSocketAddress) server.localAddress());
      }
      server.close().sync();
      // Event loops that end leave what they have not got round to closing.
      load.accepted.close().sync();
    } finally {
      clients.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
      servers.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }
    System.out.println("echoed " + load.received.get() + " bytes");
  }

  private Channel listen(EventLoopGroup group) throws InterruptedException {
    return new ServerBootstrap()
        .group(group)
        .channel(NioServerSocketChannel.class)
        .childHandler(initializing(new Echo(accepted)))
        .bind(InetAddress.getLoopbackAddress(), 0)
        .sync()
        .channel();
  }

  private void run(EventLoopGroup group, InetSocketAddress server) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(CLIENTS);
    List<Channel> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(
          new Bootstrap()
              .group(group)
              .channel(NioSocketChannel.class)
              .option(ChannelOption.TCP_NODELAY, true)
              .handler(initializing(new Client(done)))
              .connect(server)
              .sync()
              .channel());
    }
    if (!done.await(MOST_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("a message did not come back");
    }
    for (Channel client : clients) {
      client.close().sync();
    }
  }

  private static ChannelInitializer<SocketChannel> initializing(
      ChannelInboundHandlerAdapter handler) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        channel.pipeline().addLast(handler);
      }
    };
  }

  /** Sends back what comes. */
  @Sharable
  private static final class Echo extends ChannelInboundHandlerAdapter {
    private final ChannelGroup accepted;

    private Echo(ChannelGroup accepted) {
      this.accepted = accepted;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      accepted.add(context.channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ChannelFuture unused = context.writeAndFlush(message);
    }
  }

  /** Sends a message for each that came back. */
  private final class Client extends ChannelInboundHandlerAdapter {
    private final CountDownLatch done;
    private int sent;
    private long back;

    private Client(CountDownLatch done) {
      this.done = done;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      for (int i = 0; i < WINDOW; i++) {
        send(context);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      long before = back / MESSAGE_BYTES;
      back += bytes.readableBytes();
      received.addAndGet(bytes.readableBytes());
      bytes.release();
      for (long i = before; i < back / MESSAGE_BYTES; i++) {
        send(context);
      }
      if (back == (long) MESSAGES_A_CLIENT * MESSAGE_BYTES) {
        done.countDown();
      }
    }

    private void send(ChannelHandlerContext context) {
      if (sent < MESSAGES_A_CLIENT) {
        sent++;
        ChannelFuture unused =
            context.writeAndFlush(
                context.alloc().directBuffer(MESSAGE_BYTES).writeZero(MESSAGE_BYTES));
      }
    }
  }
}
