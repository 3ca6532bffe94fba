package io.gpusched.dialect.hami;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** GPUs in MIG mode as HAMi's scheduler fills them: one container after the other, GPU by GPU, profile by profile, place by place. */
final class HamiMigGreedy {
    static final int MEMORY_MIB = 40_960;

    /** What a device plugin registers of a profile. */
    record Profile(String name, int memoryMib, int core, int slices, int size, List<Integer> starts) {}

    static final List<Profile> A100 = List.of(
            new Profile("1g.5gb", 4_864, 14, 1, 1, List.of(0, 1, 2, 3, 4, 5, 6)),
            new Profile("1g.10gb", 9_856, 14, 1, 2, List.of(0, 2, 4, 6)),
            new Profile("2g.10gb", 9_856, 28, 2, 2, List.of(0, 2, 4)),
            new Profile("3g.20gb", 19_968, 42, 3, 4, List.of(0, 4)),
            new Profile("4g.20gb", 19_968, 57, 4, 4, List.of(0)),
            new Profile("7g.40gb", 40_192, 98, 7, 8, List.of(0)));

    /** An instance that a container gets. */
    record Instance(int gpu, Profile profile, int start) {}

    /** A GPU and its instances. */
    private static final class Card {
        private final int index;
        private final List<Instance> instances = new ArrayList<>();

        Card(int index) {
            this.index = index;
        }

        Card copy() {
            Card copy = new Card(index);
            copy.instances.addAll(instances);
            return copy;
        }

        int usedMib() {
            return instances.stream().mapToInt(one -> one.profile().memoryMib()).sum();
        }

        int usedCores() {
            return instances.stream().mapToInt(one -> one.profile().core()).sum();
        }
    }

    private final List<Profile> profiles;
    private static final int SLOTS = 7;

    private final boolean packs;
    private List<Card> cards = new ArrayList<>();

    HamiMigGreedy(int gpus, List<Profile> profiles, boolean packs) {
        this.profiles = profiles;
        this.packs = packs;
        for (int g = 0; g < gpus; g++) {
            cards.add(new Card(g));
        }
    }

    /** Places a pod whose containers each ask for {@code {count, MiB, cores}}; empty and unchanged if it does not fit. */
    List<List<Instance>> place(List<int[]> containers) {
        List<Card> trial = new ArrayList<>(cards.stream().map(Card::copy).toList());
        List<List<Instance>> all = new ArrayList<>();
        for (int[] asked : containers) {
            List<Instance> got = container(trial, asked[0], asked[1], asked[2]);
            if (got.size() < asked[0]) {
                return List.of();
            }
            all.add(got);
        }
        trial.sort(Comparator.comparingInt(card -> card.index));
        cards = trial;
        return all;
    }

    private List<Instance> container(List<Card> cards, int count, int memoryMib, int cores) {
        Comparator<Card> byScore = Comparator.comparingDouble(card -> (card.instances.size() + 1) / (double) SLOTS
                + (card.usedCores() + cores) / 100.0
                + (card.usedMib() + memoryMib) / (double) MEMORY_MIB);
        // the container behind it finds the cards in this order, of which a stable sort keeps what is equal
        cards.sort(packs ? byScore : byScore.reversed());
        List<Instance> got = new ArrayList<>();
        List<Instance> before =
                cards.stream().flatMap(card -> card.instances.stream()).toList();
        for (int i = cards.size() - 1; i >= 0; i--) {
            Card card = cards.get(i);
            while (got.size() < count && isOpen(card, before, memoryMib, cores)) {
                Instance next = next(card, memoryMib);
                if (next == null) {
                    break;
                }
                card.instances.add(next);
                got.add(next);
            }
        }
        return got;
    }

    /** What is in use is counted as it was before the container. */
    private boolean isOpen(Card card, List<Instance> before, int memoryMib, int cores) {
        List<Instance> held =
                before.stream().filter(one -> one.gpu() == card.index).toList();
        int usedMib = held.stream().mapToInt(one -> one.profile().memoryMib()).sum();
        int usedCores = held.stream().mapToInt(one -> one.profile().core()).sum();
        return held.size() < SLOTS
                && MEMORY_MIB - usedMib >= memoryMib
                && 100 - usedCores >= cores
                && !(cores == 100 && !held.isEmpty())
                && !(usedCores == 100 && cores == 0);
    }

    private Instance next(Card card, int memoryMib) {
        Stream<Profile> candidates = profiles.stream()
                .filter(one -> one.memoryMib() >= memoryMib)
                .sorted(Comparator.comparingInt(Profile::memoryMib).thenComparingInt(Profile::slices));
        for (Profile profile : candidates.toList()) {
            List<Integer> starts = new ArrayList<>(profile.starts());
            boolean high = profile.name().startsWith("1g.") || profile.name().startsWith("3g.");
            starts.sort(high ? Comparator.reverseOrder() : Comparator.naturalOrder());
            for (int start : starts) {
                boolean free = card.instances.stream()
                        .noneMatch(one ->
                                start < one.start() + one.profile().size() && one.start() < start + profile.size());
                if (free) {
                    return new Instance(card.index, profile, start);
                }
            }
        }
        return null;
    }
}
