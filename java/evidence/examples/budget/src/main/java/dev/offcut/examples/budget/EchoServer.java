package dev.offcut.examples.budget;

import dev.offcut.memory.Owner;
import dev.offcut.netty.OffcutByteBufAllocator;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A server with Netty that sends back what it receives. Its buffers are charged to an owner. */
final class EchoServer implements AutoCloseable {
  private final OffcutByteBufAllocator allocator;
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final InetSocketAddress address;

  /** Listens on a free port of this machine. */
  EchoServer(Owner owner) throws InterruptedException {
    allocator = OffcutByteBufAllocator.on(owner);
    ServerBootstrap server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.ALLOCATOR, allocator)
            .childHandler(new Pipeline());
    address =
        (InetSocketAddress)
            server.bind(InetAddress.getLoopbackAddress(), 0).sync().channel().localAddress();
  }

  /** {@return where it listens} */
  InetSocketAddress address() {
    return address;
  }

  /** Ends the event loops first: then no buffer is in use, which the allocator checks. */
  @Override
  public void close() {
    loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
    allocator.close();
  }

  private static final class Pipeline extends ChannelInitializer<SocketChannel> {
    @Override
    protected void initChannel(SocketChannel channel) {
      channel.pipeline().addLast(new Echo());
    }
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ChannelFuture ignored = context.writeAndFlush(message); // which releases it
    }

    /** Also where a buffer would exceed the budget: the connection ends, the server goes on. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      System.err.println("connection ends: " + cause);
      ChannelFuture ignored = context.close();
    }
  }
}
