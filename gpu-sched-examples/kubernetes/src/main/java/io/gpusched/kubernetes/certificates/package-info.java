/**
 * Certificates of servers: read from files and again when they change, or made here, kept in a Secret that replicas share, and
 * renewed before they expire without a connection lost.
 *
 * <p>{@link io.gpusched.kubernetes.certificates.KeyFiles} is for the first, {@link
 * io.gpusched.kubernetes.certificates.CertificateKeeper} for the second.
 */
@NullMarked
package io.gpusched.kubernetes.certificates;

import org.jspecify.annotations.NullMarked;
