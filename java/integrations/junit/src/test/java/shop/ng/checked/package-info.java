/** Tests that are checked by an annotation here. */
@NoNativeLeaks
package shop.ng.checked;

import dev.offcut.junit.NoNativeLeaks;
