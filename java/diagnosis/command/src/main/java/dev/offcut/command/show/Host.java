package dev.offcut.command.show;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The header {@code Host}: what a browser takes for the name of this server. Only addresses and
 * {@code localhost} pass, for nobody can let those stand for another machine's address. Any port
 * passes: a forwarded one is another than that of this server.
 */
final class Host {
  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");

  private Host() {}

  /** Whether it names this machine to itself, or the address at which a request came in. */
  static boolean isOf(String header, InetAddress address) {
    String name = PORT.matcher(header).replaceFirst("");
    if (name.toLowerCase(Locale.ROOT).equals("localhost")) {
      return true;
    }
    try {
      InetAddress named =
          name.startsWith("[") && name.endsWith("]")
              ? Inet6Address.ofLiteral(name)
              : Inet4Address.ofLiteral(name);
      return named.isLoopbackAddress() || named.equals(address);
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

  static String literal(InetAddress address) {
    String text = address.getHostAddress();
    if (!(address instanceof Inet6Address)) {
      return text;
    }
    int zone = text.indexOf('%'); // browsers do not take it
    return "[" + (zone < 0 ? text : text.substring(0, zone)) + "]";
  }
}
