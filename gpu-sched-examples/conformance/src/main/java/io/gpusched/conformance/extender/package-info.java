/** Runs the cases about kube-scheduler and its extenders. */
@NullMarked
package io.gpusched.conformance.extender;

import org.jspecify.annotations.NullMarked;
