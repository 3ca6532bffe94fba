package io.gpusched.dialect.vgpu;

import io.gpusched.check.Checks;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A list of names that are asked for and a list of names that are refused, as annotations of HAMi and Volcano give
 * them: separated by commas, blanks around a name and empty names ignored. A blank list is no list; commas without a name ask
 * for nothing that there is. What is refused is refused even if it is asked for.
 *
 * @param use names; one must match, or none for any; an empty name matches nothing
 * @param nouse names; none may match
 */
public record VgpuSelector(List<String> use, List<String> nouse) {
    /** A name that no GPU has. */
    private static final String NOTHING = "";

    /** Copies the lists. */
    public VgpuSelector {
        use = Checks.list("use", use);
        nouse = Checks.list("nouse", nouse);
    }

    /** Returns the selector of two annotations; each may be absent. */
    public static VgpuSelector of(@Nullable String use, @Nullable String nouse) {
        List<String> asked = names(use);
        boolean namesNothing = use != null && !use.isBlank() && asked.isEmpty();
        return new VgpuSelector(namesNothing ? List.of(NOTHING) : asked, names(nouse));
    }

    /** Returns whether there is no name at all. */
    public boolean isEmpty() {
        return use.isEmpty() && nouse.isEmpty();
    }

    /**
     * Returns whether a GPU of this type is accepted. A name matches a type that contains it, letter case aside, which
     * is both systems' rule: {@code A10} also accepts {@code NVIDIA A100}. Write the whole name to tell them apart.
     */
    public boolean acceptsType(String cardType) {
        Objects.requireNonNull(cardType, "cardType");
        String card = cardType.toUpperCase(Locale.ROOT);
        return (use.isEmpty() || use.stream().anyMatch(name -> names(card, name)))
                && nouse.stream().noneMatch(name -> names(card, name));
    }

    private static boolean names(String card, String name) {
        return !name.isEmpty() && card.contains(name.toUpperCase(Locale.ROOT));
    }

    /** Returns whether the GPU with this UUID is accepted; names match only if they are equal. */
    public boolean acceptsUuid(String uuid) {
        Objects.requireNonNull(uuid, "uuid");
        return (use.isEmpty() || !uuid.isEmpty() && use.contains(uuid)) && !nouse.contains(uuid);
    }

    /** Returns the names of a comma-separated list, without empty ones. */
    public static List<String> names(@Nullable String list) {
        return list == null
                ? List.of()
                : Arrays.stream(list.split(","))
                        .map(String::trim)
                        .filter(name -> !name.isEmpty())
                        .toList();
    }
}
