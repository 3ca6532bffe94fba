/**
 * Reads the jobs that other operators define, as gangs with roles, and makes the pods that their controllers would make. {@link
 * io.gpusched.cli.job.Jobs} is the way in; each family of kinds has one class.
 */
@NullMarked
package io.gpusched.cli.job;

import org.jspecify.annotations.NullMarked;
