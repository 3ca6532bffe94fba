package io.gpusched.cli.look;

import io.gpusched.manifests.cluster.SeenCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Says of a resource that no node has which ones nodes have, as names of resources are easily mistyped or of another vendor. */
final class OfferedDevices {
    private static final Pattern MISSING =
            Pattern.compile("(?m)\\bno ([A-Za-z0-9][A-Za-z0-9./_-]*), asked \\S+(?: (?:MiB|GiB))? \\1$");

    private static final Pattern NOT_COUNTED = Pattern.compile(
            "\\S*\\.(?:limits|requests)\\.([A-Za-z0-9./_-]+): \\S+ requested, but this resource is not counted here");

    private final SeenCluster seen;

    OfferedDevices(SeenCluster seen) {
        this.seen = seen;
    }

    /** Returns a refusal in which each resource that no node has is said to be so. */
    String in(String refusal) {
        List<String> missing = new ArrayList<>();
        String words = MISSING.matcher(refusal).replaceAll(one -> Matcher.quoteReplacement(words(one, missing)));
        words = NOT_COUNTED.matcher(words).replaceAll(one -> Matcher.quoteReplacement(words(one, missing)));
        String meant = missing.stream()
                .flatMap(name -> seen.offered().stream().filter(other -> isAlike(name, other)))
                .distinct()
                .collect(Collectors.joining(" or "));
        if (meant.isEmpty()) {
            return words;
        }
        String remedy = "  nearest remedy: request " + meant + ", if that is meant";
        return words.contains("nearest remedy: ")
                ? words.replaceFirst("(?m)^ *nearest remedy: .*$", Matcher.quoteReplacement(remedy))
                : words + "\n" + remedy;
    }

    private String words(MatchResult match, List<String> missing) {
        String name = match.group(1);
        List<String> offered = seen.offered();
        if (offered.contains(name)) {
            return match.group();
        }
        missing.add(name);
        return "no node offers " + name + "; offered: " + (offered.isEmpty() ? "no GPUs" : String.join(", ", offered));
    }

    /** Whether two names are the same but for case, the vendor's domain, or a plural. */
    private static boolean isAlike(String asked, String offered) {
        return last(asked).equals(last(offered));
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('/') + 1)
                .toLowerCase(Locale.ROOT)
                .replaceFirst("s$", "");
    }
}
