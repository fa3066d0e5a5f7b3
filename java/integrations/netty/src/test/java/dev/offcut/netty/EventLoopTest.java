package dev.offcut.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server of Netty's, whose buffers are ours. */
@SuppressWarnings("deprecation") // 4.2 has other event loops; these are in 4.1, too
class EventLoopTest {
  private static final int BYTES = 1 << 20;

  private final MemoryPool pool = MemoryPool.named("server").create();
  private final Owner owner = pool.owner().child("connections").hardLimit(4 << 20).create();
  private final OffcutByteBufAllocator allocator = OffcutByteBufAllocator.on(owner);
  private final EventLoopGroup loops = new NioEventLoopGroup(2);
  private final Queue<Class<?>> read = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
  private final CountDownLatch inactive = new CountDownLatch(1);

  @AfterEach
  void close() throws InterruptedException {
    loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
    pool.verify();
    allocator.close();
    pool.close();
  }

  private InetSocketAddress listen() throws InterruptedException {
    Channel server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.ALLOCATOR, allocator)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new Echo());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    return (InetSocketAddress) server.localAddress();
  }

  private final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      read.add(message.getClass());
      ChannelFuture ignored = context.writeAndFlush(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      thrown.add(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      inactive.countDown();
    }
  }

  @Test
  void echo_ofAMebibyte_runsOnBuffersOfThePool() throws Exception {
    byte[] sent = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      sent[i] = (byte) (i * 31);
    }
    byte[] received = new byte[BYTES];
    InetSocketAddress server = listen();
    try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
      Thread writer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      socket.getOutputStream().write(sent);
                    } catch (IOException e) {
                      thrown.add(e);
                    }
                  });
      new DataInputStream(socket.getInputStream()).readFully(received);
      writer.join();
    }
    inactive.await();
    assertThat(Arrays.equals(received, sent)).isTrue();
    assertThat(thrown).isEmpty();
    assertThat(read).isNotEmpty().allMatch(PoolBuffer.class::isAssignableFrom);
  }

  @Test
  void read_whenTheOwnerIsAtItsLimit_closesTheChannelAndNamesTheOwner() throws Exception {
    InetSocketAddress server = listen();
    List<ByteBuf> all = new ArrayList<>();
    try {
      for (; ; ) {
        all.add(allocator.directBuffer(64 << 10));
      }
    } catch (MemoryLimitError e) {
      // so many
    }
    try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
      socket.getOutputStream().write(new byte[BYTES / 4]);
      InputStream in = socket.getInputStream();
      try {
        while (in.read() >= 0) {
          // what was echoed before
        }
      } catch (IOException e) {
        // reset, since it had not read all
      }
      inactive.await();
    }
    all.forEach(ByteBuf::release);
    assertThat(thrown).anyMatch(each -> each instanceof MemoryLimitError);
  }
}
