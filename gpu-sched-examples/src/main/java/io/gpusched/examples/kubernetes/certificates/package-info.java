/**
 * Certificates of servers: read from files and again when they change, or made here, kept in a Secret that replicas share, and
 * renewed before they expire without a connection lost.
 *
 * <p>{@link io.gpusched.examples.kubernetes.certificates.KeyFiles} is for the first, {@link
 * io.gpusched.examples.kubernetes.certificates.CertificateKeeper} for the second.
 */
@NullMarked
package io.gpusched.examples.kubernetes.certificates;

import org.jspecify.annotations.NullMarked;
