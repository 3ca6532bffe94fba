/**
 * The vendors beside NVIDIA whose devices HAMi shares: each {@link io.gpusched.dialect.hami.vendor.HamiVendor} is a row of data
 * (resource names, how amounts are read, how a node tells of its devices, which devices go together, how a grant is written).
 * {@link io.gpusched.dialect.hami.vendor.VendorCatalog#DEFAULT} holds HAMi's own rows; a settings file changes them.
 *
 * <pre>{@code
 * HamiVendor hygon = VendorCatalog.DEFAULT.find("DCU").orElseThrow();
 * VendorCatalog renamed = VendorCatalog.DEFAULT.with(
 *         hygon.withResources(new VendorResources("example.com/dcu", "example.com/dcumem", "example.com/dcucores")));
 * HamiDialect hami = HamiDialect.of(HamiSettings.DEFAULT).withVendors(renamed);
 * Node node = hami.node(nodeManifest); // reads the annotation hami.io/node-dcu-register
 * PodManifest pod = PodManifest.of(
 *         "p", List.of(ContainerManifest.limits("main", Map.of("example.com/dcu", "1", "example.com/dcumem", "4000"))));
 * Decision decision = DialectScheduler.of(hami).schedule(Cluster.of(List.of(node)), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.hami.vendor;

import org.jspecify.annotations.NullMarked;
