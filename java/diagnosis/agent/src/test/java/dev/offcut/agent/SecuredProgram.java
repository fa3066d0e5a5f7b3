package dev.offcut.agent;

/** A program that lets a security manager in, which forbids nearly all. */
public final class SecuredProgram {
  private SecuredProgram() {}

  /** Nothing is needed. */
  @SuppressWarnings("removal") // a JVM 17 or 21 has it
  public static void main(String[] args) {
    System.setSecurityManager(new SecurityManager());
    System.out.println("secured");
  }
}
