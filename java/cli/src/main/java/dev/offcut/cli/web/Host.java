package dev.offcut.cli.web;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Locale;

/**
 * The header {@code Host}: what a browser takes for the name of this server. Only addresses and
 * {@code localhost} pass, for nobody can let those stand for another machine's address.
 */
final class Host {
  private static final int HTTP_PORT = 80;

  private Host() {}

  /** Whether it names the address and port at which a request came in. */
  static boolean isOf(String header, InetAddress address, int port) {
    int colon = header.lastIndexOf(':');
    boolean hasPort = colon > header.lastIndexOf(']');
    // A browser leaves out the port that is the protocol's own.
    boolean samePort =
        hasPort ? header.substring(colon + 1).equals(String.valueOf(port)) : port == HTTP_PORT;
    return samePort && isName(hasPort ? header.substring(0, colon) : header, address);
  }

  private static boolean isName(String name, InetAddress address) {
    if (name.toLowerCase(Locale.ROOT).equals("localhost")) {
      return address.isLoopbackAddress();
    }
    try {
      return (name.startsWith("[") && name.endsWith("]"))
          ? Inet6Address.ofLiteral(name).equals(address)
          : Inet4Address.ofLiteral(name).equals(address);
    } catch (IllegalArgumentException e) {
      return false; // a name, which may stand for any address
    }
  }

  /** Where to reach who listens there: of all addresses of this machine one that others see. */
  static InetAddress reachable(InetAddress address) {
    if (!address.isAnyLocalAddress()) {
      return address;
    }
    try {
      return NetworkInterface.networkInterfaces()
          .filter(Host::isUp)
          .flatMap(NetworkInterface::inetAddresses)
          .filter(one -> one instanceof Inet4Address || address instanceof Inet6Address)
          .filter(one -> !one.isLoopbackAddress() && !one.isLinkLocalAddress())
          .findFirst()
          .orElse(InetAddress.getLoopbackAddress());
    } catch (SocketException e) {
      return InetAddress.getLoopbackAddress();
    }
  }

  private static boolean isUp(NetworkInterface network) {
    try {
      return network.isUp();
    } catch (SocketException e) {
      return false;
    }
  }

  /** As it stands in an URL. */
  static String literal(InetAddress address) {
    String text = address.getHostAddress();
    if (!(address instanceof Inet6Address)) {
      return text;
    }
    int zone = text.indexOf('%'); // browsers do not take it
    return "[" + (zone < 0 ? text : text.substring(0, zone)) + "]";
  }
}
