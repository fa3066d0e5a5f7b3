package shop;

import dev.offcut.junit.NoNativeLeaks;

/** Many tests with buffers of Netty, checked. */
@NoNativeLeaks
class ManyBuffersTests extends ManyBuffers {}
