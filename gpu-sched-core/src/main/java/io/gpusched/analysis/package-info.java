/**
 * What can be said of a snapshot without placing anything: pure functions of clusters, requests and profiles.
 *
 * <p>Results are for people and reports; ratios are {@code double}. Nothing here decides whether something fits.
 */
@NullMarked
package io.gpusched.analysis;

import org.jspecify.annotations.NullMarked;
