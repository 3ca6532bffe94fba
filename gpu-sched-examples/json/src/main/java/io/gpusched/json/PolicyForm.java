package io.gpusched.json;

import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.LookAhead;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.workload.WorkloadProfile;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A policy as it is written: by its name, which has the seed of a random one, and the profile of a policy that looks at one. */
record PolicyForm(String name, Optional<WorkloadProfile> profile) {
    private static final Map<String, PlacementPolicy> PLAIN = Stream.of(
                    BestFit.of(), BinPack.of(), FirstFit.of(), Spread.of())
            .collect(Collectors.toMap(Object::toString, Function.identity()));
    private static final Pattern RANDOM = Pattern.compile("random\\((-?\\d{1,19})\\)");

    static PolicyForm of(PlacementPolicy policy) {
        if (policy instanceof LookAhead ahead) {
            return new PolicyForm(ahead.toString(), Optional.of(ahead.profile()));
        }
        if (policy instanceof FragmentationGradient gradient) {
            return new PolicyForm(gradient.toString(), Optional.of(gradient.profile()));
        }
        if (policy instanceof ForeignPolicy foreign) {
            return new PolicyForm(foreign.name(), Optional.empty());
        }
        String name = policy.getClass().isSynthetic() ? "a function" : policy.toString();
        return new PolicyForm(name, Optional.empty());
    }

    PlacementPolicy policy() {
        if (profile.isPresent()) {
            Supplier<PlacementPolicy> foreign = () -> new ForeignPolicy(name);
            return name.equals("look-ahead")
                    ? LookAhead.of(profile.get())
                    : name.equals("fgd") ? FragmentationGradient.of(profile.get()) : foreign.get();
        }
        Matcher random = RANDOM.matcher(name);
        if (random.matches()) {
            return RandomFit.of(Long.parseLong(random.group(1)));
        }
        PlacementPolicy plain = PLAIN.get(name);
        return plain == null ? new ForeignPolicy(name) : plain;
    }
}
