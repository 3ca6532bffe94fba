/**
 * How a node tells HAMi of its devices beside NVIDIA's GPUs: in an annotation that a device plugin writes, or by its allocatable
 * resources. {@link io.gpusched.dialect.hami.registration.VendorRegistration} names the ways.
 *
 * <pre>{@code
 * VendorRegistration dcus = new RegisteredText("hami.io/node-dcu-register");
 * for (VendorDevice dcu : dcus.devices("DCU", nodeManifest, text -> text)) {
 *     String memory = dcu.device().memoryMib().total() + " MiB";
 *     System.out.println(dcu.device().id() + " " + memory);
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.hami.registration;

import org.jspecify.annotations.NullMarked;
