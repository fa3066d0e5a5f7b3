package shop;

/** The same tests, not checked. */
class ManyBuffersUncheckedTests extends ManyBuffers {}
