package dev.offcut.apps;

import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;

/** Calls over RMI on loopback, with objects as arguments and results: object streams both ways. */
public final class RemoteCalls {
  private static final int CALLS = 2_000;
  private static final int LINES = 20;

  private RemoteCalls() {}

  /** A line of an order. */
  record Line(String article, int pieces, long cents) implements Serializable {}

  /** An order and its lines. */
  record Order(int number, List<Line> lines) implements Serializable {}

  /** A bill for an order. */
  record Bill(Order order, long cents) implements Serializable {}

  /** What is called. */
  interface Billing extends Remote {
    Bill bill(Order order) throws RemoteException;
  }

  /** What answers. */
  static final class Desk implements Billing {
    @Override
    public Bill bill(Order order) {
      long cents = 0;
      for (Line line : order.lines()) {
        cents += line.pieces() * line.cents();
      }
      return new Bill(order, cents);
    }
  }

  /** {@code [TIMES]}. */
  public static void main(String[] args) throws Exception {
    int times = Times.of(args);
    Desk desk = new Desk();
    Billing billing =
        (Billing)
            UnicastRemoteObject.exportObject(
                desk,
                0,
                null,
                port -> new ServerSocket(port, 50, InetAddress.getLoopbackAddress()));
    long cents = 0;
    for (int i = 0; i < times * CALLS; i++) {
      cents += billing.bill(order(i % CALLS)).cents();
    }
    UnicastRemoteObject.unexportObject(desk, true);
    System.out.println("billed " + times * CALLS + " orders, " + cents + " cents");
  }

  private static Order order(int number) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      lines.add(new Line("article " + (number + i) % 50, 1 + i % 3, 100 + (number * 7L + i) % 900));
    }
    return new Order(number, lines);
  }
}
