/** Tests that are checked by an annotation here. */
@NoNativeLeaks
package shop.checked;

import dev.offcut.junit.NoNativeLeaks;
