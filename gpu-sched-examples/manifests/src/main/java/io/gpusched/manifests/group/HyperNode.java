package io.gpusched.manifests.group;

import java.util.List;

/**
 * What a hyper node of Volcano's consists of.
 *
 * @param tier how far apart its nodes are: the higher, the farther
 * @param members selectors of nodes and of other hyper nodes
 */
record HyperNode(int tier, List<Member> members) {
    /** Reads the {@code spec} of an object. */
    static HyperNode of(Fields spec) {
        return new HyperNode(
                spec.at("tier").number(0).orElse(0),
                spec.at("members").list().stream().map(Member::of).toList());
    }
}
