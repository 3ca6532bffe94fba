package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.volume.CsiVolume;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Members of a group that share the same volumes, with each other, with other members or with pods that run. Each of their
 * other volumes has one user.
 *
 * @param shared what each of them uses and is not the only one to
 * @param members the members, in their order
 */
record VolumeKind(Set<CsiVolume> shared, List<Request.Ready> members) {
    /**
     * Returns the members of a group by kind: the kind with most members first, those that share nothing last.
     *
     * @param isAttached whether any node has a volume already
     */
    static List<VolumeKind> of(List<Request.Ready> ready, Predicate<CsiVolume> isAttached) {
        Map<CsiVolume, Integer> users = new HashMap<>();
        ready.forEach(member -> member.volumes().forEach(volume -> users.merge(volume, 1, Integer::sum)));
        users.entrySet().removeIf(volume -> volume.getValue() == 1 && !isAttached.test(volume.getKey()));
        Map<Set<CsiVolume>, List<Request.Ready>> kinds = new LinkedHashMap<>();
        for (Request.Ready member : ready) {
            Set<CsiVolume> shared = new HashSet<>(member.volumes());
            shared.retainAll(users.keySet());
            kinds.computeIfAbsent(shared, any -> new ArrayList<>()).add(member);
        }
        return kinds.entrySet().stream()
                .map(kind -> new VolumeKind(kind.getKey(), kind.getValue()))
                .sorted(Comparator.<VolumeKind, Boolean>comparing(
                                kind -> kind.shared().isEmpty())
                        .thenComparing(kind -> -kind.members().size()))
                .toList();
    }

    /** Returns what all members of all kinds share. */
    static Set<CsiVolume> common(List<VolumeKind> kinds) {
        Set<CsiVolume> common = new HashSet<>(kinds.get(0).shared());
        kinds.forEach(kind -> common.retainAll(kind.shared()));
        return common;
    }

    /** Returns what each member uses, alone or not. */
    Map<PodId, Set<CsiVolume>> volumes() {
        return members.stream().collect(Collectors.toMap(member -> member.pod().id(), Request.Ready::volumes));
    }
}
