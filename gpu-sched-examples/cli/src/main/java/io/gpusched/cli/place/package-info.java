/**
 * The command {@code place}: reads a cluster and what is to be placed from YAML, the library's own short form or
 * Kubernetes manifests, and prints the decision with what the system would write.
 */
@NullMarked
package io.gpusched.cli.place;

import org.jspecify.annotations.NullMarked;
