package dev.offcut.handle;

/**
 * A look whether a thread has stack left for what changes more than one thing. A StackOverflowError
 * strikes here, where nothing has happened yet, and not between two changes.
 *
 * <p>It throws unless there are 10 KiB; what the net calls in one another takes less. A method
 * begins with a look whether its local variables have room, compiled too: where it could go on in
 * the interpreter, its frame there counts. So {@link #touch} has 640 words of them, which it does
 * not use, calls itself once, and has a call that it never makes. Compiled, all of this is a part
 * of the caller's own look, and costs nothing more.
 */
final class StackProbe {
  /** Not set. It is no constant, for then nothing could go on in the interpreter. */
  private static boolean isSet;

  private StackProbe() {}

  /** Throws a StackOverflowError if there is too little stack. */
  static void check() {
    touch(true);
  }

  @SuppressWarnings("UnusedVariable") // what makes the frame large
  private static void touch(boolean again) {
    // spotless:off
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
        b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
        c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19,
        d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19,
        e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19,
        f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19,
        g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17, g18, g19,
        h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, h10, h11, h12, h13, h14, h15, h16, h17, h18, h19,
        i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17, i18, i19,
        j0, j1, j2, j3, j4, j5, j6, j7, j8, j9, j10, j11, j12, j13, j14, j15, j16, j17, j18, j19,
        k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15, k16, k17, k18, k19,
        l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14, l15, l16, l17, l18, l19,
        m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19,
        n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12, n13, n14, n15, n16, n17, n18, n19,
        o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, o10, o11, o12, o13, o14, o15, o16, o17, o18, o19,
        p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19;
    // spotless:on
    if (again) {
      touch(false);
    }
    if (isSet) {
      fail();
    }
  }

  private static void fail() {
    throw new AssertionError("the field is never set");
  }
}
