/**
 * Leases of the GPUs of one machine, between the threads of a program and between programs.
 *
 * <p>Begin at {@link io.gpusched.local.GpuMachine}:
 *
 * <pre>{@code
 * GpuMachine machine = GpuMachine.detect();
 * try (Lease lease = machine.lease(GpuRequest.percent(40), Duration.ofMinutes(5))) {
 *     ProcessBuilder training = new ProcessBuilder("python", "train.py").inheritIO();
 *     training.environment().putAll(lease.environment());
 *     training.start().waitFor();
 * }
 * }</pre>
 *
 * <p>A lease is a promise among programs that ask this class; it does not keep other programs from a GPU. Passing {@code null} to any
 * method throws {@link java.lang.NullPointerException} with the name of the parameter.
 */
@NullMarked
package io.gpusched.local;

import org.jspecify.annotations.NullMarked;
