package io.gpusched.dialect.slurm;

import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.RefusedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of a Slurm job, read as numbers and generic resources.
 *
 * @param texts by name without dashes, what is given
 */
record SlurmOptions(Map<String, String> texts) {
    private static final String GRES = "gres/";
    private static final String CPU = "cpu";
    private static final Pattern MEMORY = Pattern.compile("([0-9]{1,9})([KMGTkmgt]?)(?:[bB])?");

    /** Copies the map. */
    SlurmOptions {
        texts = Map.copyOf(texts);
    }

    boolean has(String option) {
        return texts.containsKey(option);
    }

    /** Returns the types of the GPUs that these options ask for. */
    Set<String> types(List<String> levels) {
        Set<String> types = new TreeSet<>();
        for (String option : levels) {
            (option.equals("gres") ? list(option) : gpus(option))
                    .stream().filter(gres -> gres.name().equals(SlurmGres.GPU)).forEach(gres -> types.add(gres.type()));
        }
        return types;
    }

    /** What each task gets by {@code --tres-per-task}, beside CPUs. */
    Optional<SlurmGres> sharedPerTask() {
        List<String> items =
                perTask().stream().filter(item -> !item.startsWith(CPU)).toList();
        if (items.isEmpty()) {
            return Optional.empty();
        }
        String text = items.get(0);
        if (items.size() > 1 || !text.startsWith(GRES)) {
            throw new RefusedException(
                    "option --tres-per-task",
                    "must be cpu=count, one gres/name:count, or both, got \"" + texts.get("tres-per-task") + "\"");
        }
        return Optional.of(parsed(
                "tres-per-task",
                () -> SlurmGres.parse(text.substring(GRES.length()).replace('=', ':'))));
    }

    /** The CPUs of each task, by either of the two options that say it. */
    Optional<Long> cpusPerTask() {
        Optional<Long> cpus = perTask().stream()
                .filter(item -> item.startsWith(CPU))
                .findFirst()
                .map(item -> number("tres-per-task", item.substring(CPU.length() + 1)));
        return cpus.isPresent() ? cpus : number("cpus-per-task");
    }

    private List<String> perTask() {
        return List.of(texts.getOrDefault("tres-per-task", "").split(",", -1)).stream()
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    List<SlurmGres> list(String option) {
        String text = texts.getOrDefault(option, "");
        return text.equalsIgnoreCase("none") ? List.of() : last(parsed(option, () -> SlurmGres.parseList(text)));
    }

    List<SlurmGres> gpus(String option) {
        String text = texts.get(option);
        return text == null ? List.of() : last(parsed(option, () -> SlurmGres.parseCounts(SlurmGres.GPU, text)));
    }

    /** Of what is asked for twice the last count holds. */
    private static List<SlurmGres> last(List<SlurmGres> asked) {
        Map<String, SlurmGres> byType = new LinkedHashMap<>();
        asked.forEach(gres -> byType.put(gres.name() + ":" + gres.type(), gres));
        return List.copyOf(byType.values());
    }

    private static <T> T parsed(String option, Supplier<T> parser) {
        try {
            return parser.get();
        } catch (IllegalArgumentException e) {
            throw new RefusedException("option --" + option, String.valueOf(e.getMessage()));
        }
    }

    Optional<Long> number(String option) {
        String text = texts.get(option);
        if (text == null) {
            return Optional.empty();
        }
        return Optional.of(number(option, text));
    }

    private static long number(String option, String text) {
        long value = parsed(option, () -> Quantity.parse(text).wholeNumber());
        if (value < 1) {
            throw new RefusedException("option --" + option, "must be at least 1, got " + value);
        }
        return value;
    }

    /** Memory in MiB, with a suffix in another unit; 0 is allowed. */
    Optional<Long> memory(String option) {
        String text = texts.get(option);
        if (text == null) {
            return Optional.empty();
        }
        Matcher amount = MEMORY.matcher(text.strip());
        if (!amount.matches()) {
            throw new RefusedException(
                    "option --" + option, "must be a number with an optional K, M, G or T, got \"" + text + "\"");
        }
        long value = Long.parseLong(amount.group(1));
        return Optional.of(
                switch (amount.group(2).toUpperCase(Locale.ROOT)) {
                    case "K" -> (value + 1_023) / 1_024;
                    case "G" -> value << 10;
                    case "T" -> value << 20;
                    default -> value;
                });
    }

    /** Returns the refusal of a job by a rule. */
    static RefusedException refused(String rule) {
        return new RefusedException("job", rule);
    }
}
