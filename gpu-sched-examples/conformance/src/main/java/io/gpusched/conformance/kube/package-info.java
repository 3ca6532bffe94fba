/** Answers of a real kube-scheduler, node by node. */
@NullMarked
package io.gpusched.conformance.kube;

import org.jspecify.annotations.NullMarked;
