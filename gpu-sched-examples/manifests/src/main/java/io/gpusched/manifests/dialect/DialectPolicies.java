package io.gpusched.manifests.dialect;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.elasticgpu.ElasticGpuDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuPolicy;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.kai.KaiDialect;
import io.gpusched.dialect.nvidia.GpuOperatorDialect;
import io.gpusched.dialect.slurm.SlurmGresDialect;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import io.gpusched.policy.PlacementPolicy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The policies of dialects by the names that they write: what was recorded under a name is asked again by it. */
public final class DialectPolicies {
    private DialectPolicies() {}

    /** Made when it is asked for. */
    private static final class Known {
        static final Map<String, PlacementPolicy> BY_NAME = policies()
                .filter(policy -> !policy.toString().startsWith("hami"))
                .collect(Collectors.toUnmodifiableMap(Object::toString, Function.identity(), (one, same) -> one));
    }

    private static Stream<PlacementPolicy> policies() {
        Stream<Dialect> others = Stream.of(
                KaiDialect.of(),
                Koordinator.dialect().dialect(),
                GpuOperatorDialect.of(),
                ElasticGpuDialect.of(ElasticGpuPolicy.SPREAD),
                VolcanoDialect.of(VolcanoPolicy.BINPACK).withNodeScore(true),
                VolcanoDialect.of(VolcanoPolicy.SPREAD).withNodeScore(true));
        Stream<Dialect> known = Dialects.known().stream()
                .map(name -> Dialects.find(name).orElseThrow().dialect());
        return Stream.concat(Stream.concat(known, others).map(Dialect::policy), Stream.of(SlurmGresDialect.policy()));
    }

    /**
     * Returns the policy whose {@code toString} is a name; empty if no dialect has it. HAMi's policies are told by the annotations of a pod;
     * those that look at a quota, at how GPUs are connected or at devices of other vendors are not known by a name.
     */
    public static Optional<PlacementPolicy> named(String name) {
        Objects.requireNonNull(name, "name");
        return HamiDialect.annotationsOf(name)
                .<PlacementPolicy>map(annotations -> HamiAnnotations.dialect()
                        .policy(PodManifest.of("named", List.of()).withAnnotations(annotations)))
                .or(() -> Optional.ofNullable(Known.BY_NAME.get(name)));
    }
}
