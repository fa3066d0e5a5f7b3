package shop;

import dev.offcut.junit.NoNativeLeaks;

/** Many tests, checked. */
@NoNativeLeaks
class ManyTests extends Many {}
