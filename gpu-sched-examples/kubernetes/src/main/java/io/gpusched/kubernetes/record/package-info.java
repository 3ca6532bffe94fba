/** Records what a cluster does, whichever scheduler decides there. */
@NullMarked
package io.gpusched.kubernetes.record;

import org.jspecify.annotations.NullMarked;
