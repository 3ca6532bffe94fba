package io.gpusched.replay;

import io.gpusched.json.JsonFormatException;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.QueueState;
import io.gpusched.schedule.SearchBudget;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a {@link Recorder} wrote, decision by decision, in memory for one state.
 *
 * <pre>{@code
 * History.open(folder).read(decision -> System.out.println(decision.time() + ": " + decision.state()));
 * }</pre>
 *
 * <p>A byte that is not what was written is found before anything that follows from it is told. The end of a file that was cut off, by a crash or a
 * full disk, is dropped, and {@link Summary#cut} says so. Immutable and thread-safe.
 */
public final class History {
    private final HistoryFiles files;
    private final List<Integer> numbers;
    private final Function<String, Optional<PlacementPolicy>> policies;

    private History(HistoryFiles files, List<Integer> numbers, Function<String, Optional<PlacementPolicy>> policies) {
        this.files = files;
        this.numbers = numbers;
        this.policies = policies;
    }

    /**
     * What was read.
     *
     * @param files how many files
     * @param bytes how large they are
     * @param lines how many events
     * @param decisions how many decisions, or states of another scheduler
     * @param from the time of the first
     * @param to the time of the last
     * @param unitsPerSecond how many units of time make a second
     * @param cut the files of which the end was cut off, and after which line
     */
    public record Summary(
            int files,
            long bytes,
            long lines,
            long decisions,
            long from,
            long to,
            long unitsPerSecond,
            List<String> cut) {
        /** Copies the list. */
        public Summary {
            cut = List.copyOf(cut);
        }
    }

    /**
     * Returns the history in a folder.
     *
     * @throws HistoryException if there is none
     * @throws UncheckedIOException if the folder cannot be read
     */
    public static History open(Path folder) {
        HistoryFiles files = new HistoryFiles(Objects.requireNonNull(folder, "folder"));
        try {
            List<Integer> numbers = Files.isDirectory(folder) ? files.numbers() : List.of();
            if (numbers.isEmpty()) {
                throw new HistoryException(folder + ": there must be files of a history, such as "
                        + files.path(1).getFileName());
            }
            return new History(files, numbers, name -> Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the numbers of its files, ascending. */
    public List<Integer> files() {
        return numbers;
    }

    /**
     * Returns how many units of time make a second.
     *
     * @throws HistoryException if its first file cannot be read
     */
    public long unitsPerSecond() {
        return readWhile(decision -> false).unitsPerSecond();
    }

    /** Returns how large its files are together. */
    public long bytes() {
        try {
            long bytes = 0;
            for (int number : numbers) {
                bytes += Files.size(files.path(number));
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what tells its files from others: the SHA-256 of their content in hexadecimal digits. */
    public String digest() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[1 << 16];
            for (Path path : paths()) {
                try (InputStream in = Files.newInputStream(path)) {
                    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                        sha.update(buffer, 0, read);
                    }
                }
            }
            return HexFormat.of().formatHex(sha.digest());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Returns the paths of its files, in their order. */
    public List<Path> paths() {
        return numbers.stream().map(files::path).toList();
    }

    /**
     * Returns what of this history is in the files from this number on. Each file stands for itself.
     *
     * @throws HistoryException if there is no such file
     */
    public History from(int number) {
        List<Integer> left = numbers.stream().filter(each -> each >= number).toList();
        if (left.isEmpty() || left.get(0) != number) {
            throw new HistoryException(files.folder() + ": there is no file " + number + ", known are " + numbers.get(0)
                    + " to " + numbers.get(numbers.size() - 1));
        }
        return new History(files, left, policies);
    }

    /**
     * Returns this history with policies that are none of the library's own: a file has their names alone.
     *
     * @param known returns the policy whose {@code toString} is a name; empty if it is not known, and then what it decided cannot be asked
     *     again
     */
    public History withPolicies(Function<String, Optional<PlacementPolicy>> known) {
        return new History(files, numbers, Objects.requireNonNull(known, "known"));
    }

    /**
     * Reads all decisions in their order.
     *
     * @throws HistoryException if a file is damaged, missing, foreign or of a newer form, or there is no decision in any; what is before has been
     *     told by then
     */
    public Summary read(Consumer<? super RecordedDecision> each) {
        Objects.requireNonNull(each, "each");
        return readWhile(decision -> {
            each.accept(decision);
            return true;
        });
    }

    /**
     * Reads decisions in their order as long as more are wanted.
     *
     * @param each returns whether to go on
     * @throws HistoryException as {@link #read} does
     */
    public Summary readWhile(Predicate<? super RecordedDecision> each) {
        return read((file, line) -> {}, Objects.requireNonNull(each, "each"));
    }

    /** Returns the history of another folder, with the policies of this one. */
    History in(Path folder) {
        return open(folder).withPolicies(policies);
    }

    /** Takes note of a line. */
    interface Lines {
        void line(int file, String line) throws IOException;
    }

    /** Reads as {@link #readWhile} does, and tells of each line once it is known to be right, before the decision that it has. */
    Summary read(Lines lines, Predicate<? super RecordedDecision> each) {
        try {
            return new Reading(lines, each).read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One way through the files. */
    private final class Reading {
        private final Lines told;
        private final Predicate<? super RecordedDecision> each;
        private final List<String> cut = new ArrayList<>();
        private final List<HistoryEvent> changes = new ArrayList<>();
        private final Map<String, String> reasons = new HashMap<>();
        private final NamedPolicies named = new NamedPolicies(policies);
        private @Nullable StateDraft draft;
        private RecordedDecision.@Nullable Rules rules;
        private Optional<String> previous = Optional.empty();
        private int number;
        private String name = "";
        private int line;
        private long wholeBytes;
        private boolean ended;
        private long lines;
        private long decisions;
        private long from;
        private long to;
        private long unitsPerSecond = 1;

        Reading(Lines told, Predicate<? super RecordedDecision> each) {
            this.told = told;
            this.each = each;
        }

        Summary read() throws IOException {
            for (int i = 0; i < numbers.size() && !ended; i++) {
                number = numbers.get(i);
                name = String.valueOf(files.path(number).getFileName());
                line = 0;
                wholeBytes = 0;
                if (i > 0 && number != numbers.get(i - 1) + 1) {
                    throw wrongBefore("the file before must be there, but after " + numbers.get(i - 1) + " none is");
                }
                file();
            }
            if (decisions == 0) {
                String last = cut.isEmpty() ? "" : "; the end was cut off: " + String.join(", ", cut);
                throw new HistoryException(files.folder() + ": there must be at least one decision or state, got "
                        + lines + (lines == 1 ? " line in " : " lines in ") + numbers.size()
                        + (numbers.size() == 1 ? " file" : " files") + last
                        + "\nMaybe the recording had not lasted until it was first written.");
            }
            return new Summary(numbers.size(), bytes(), lines, decisions, from, to, unitsPerSecond, cut);
        }

        private void file() throws IOException {
            long hash = number;
            try (InputStream in = new BufferedInputStream(Files.newInputStream(files.path(number)))) {
                for (Block block = next(in, hash); block != null && !ended; block = next(in, hash)) {
                    hash = block.hash();
                    lines(new String(block.text(), StandardCharsets.UTF_8));
                    wholeBytes += block.bytes().length;
                }
            } catch (Block.DamagedException e) {
                line++;
                OptionalInt other = line == 1 ? otherNumber() : OptionalInt.empty();
                throw wrong(
                        other.isEmpty()
                                ? "is not what was written, or no history at all"
                                        + (wholeBytes == 0 ? "" : ", after " + wholeBytes + " bytes that are")
                                : "this is file " + other.getAsInt() + "\nMaybe it was renamed or copied.",
                        null);
            }
            previous = Optional.of(HexFormat.of().toHexDigits(hash));
        }

        /** The number of the file that stands under the name of this one. */
        private OptionalInt otherNumber() throws IOException {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                            new GZIPInputStream(Files.newInputStream(files.path(number))), StandardCharsets.UTF_8));
                    InputStream in = new BufferedInputStream(Files.newInputStream(files.path(number)))) {
                String first = lines.readLine();
                return first != null
                                && HistoryEvent.FORMAT.read(first) instanceof HistoryEvent.Header header
                                && Block.read(in, header.file()) != null
                        ? OptionalInt.of(header.file())
                        : OptionalInt.empty();
            } catch (ZipException
                    | EOFException
                    | Block.DamagedException
                    | Block.CutException
                    | JsonFormatException e) {
                return OptionalInt.empty();
            }
        }

        private @Nullable Block next(InputStream in, long hash) throws IOException {
            try {
                return Block.read(in, hash);
            } catch (Block.CutException e) {
                cut.add(name + " after line " + line);
                return null;
            }
        }

        private void lines(String text) throws IOException {
            int start = 0;
            for (int end = text.indexOf('\n'); end >= 0 && !ended; end = text.indexOf('\n', start)) {
                line++;
                lines++;
                try {
                    String written = text.substring(start, end);
                    HistoryEvent event = named.in(HistoryEvent.FORMAT.read(written));
                    told.line(number, written);
                    accept(event);
                } catch (JsonFormatException e) {
                    throw wrong(String.valueOf(e.getMessage()), e);
                }
                start = end + 1;
            }
        }

        private void accept(HistoryEvent event) {
            if (event instanceof HistoryEvent.Header header) {
                begin(header);
            } else if (event instanceof HistoryEvent.Settings set) {
                rules = new RecordedDecision.Rules(
                        set.settings(), set.policy(), SearchBudget.ofSteps(set.searchSteps()));
            } else if (event instanceof HistoryEvent.Snapshot snapshot) {
                draft = new StateDraft(snapshot.state());
            } else if (event instanceof HistoryEvent.Decided decided) {
                decided(decided);
            } else if (event instanceof HistoryEvent.Seen seen) {
                QueueState state = changed(changes).state();
                tell(seen.time(), state, Optional.empty(), Optional.empty(), state);
            } else {
                if (event instanceof HistoryEvent.JobGone gone) {
                    reasons.remove(gone.job());
                }
                changes.add(event);
            }
        }

        private void begin(HistoryEvent.Header header) {
            if (header.history() != HistoryFiles.FORMAT) {
                throw wrong(
                        "history must be of format " + HistoryFiles.FORMAT + ", got " + header.history()
                                + "\nMaybe it was recorded by a newer release.",
                        null);
            }
            boolean isFirst = number == numbers.get(0);
            if (!isFirst && header.previous().isPresent() && !header.previous().equals(previous)) {
                throw wrongBefore("the file before must be whole, but it or its end is missing");
            }
            unitsPerSecond = header.unitsPerSecond();
            draft = null;
            rules = null;
            changes.clear();
            reasons.clear();
        }

        private void decided(HistoryEvent.Decided decided) {
            QueueState state = changed(changes).state();
            QueueState after = changed(decided.changes()).state();
            decided.reasons().forEach(reasons::put);
            reasons.values().removeIf(String::isEmpty);
            tell(decided.time(), state, Optional.ofNullable(rules), Optional.of(decided.answer()), after);
        }

        private StateDraft changed(List<HistoryEvent> events) {
            StateDraft known = draft;
            if (known == null) {
                throw wrong("a state must come before the first decision", null);
            }
            try {
                known.apply(events);
            } catch (IllegalArgumentException e) {
                throw wrong(String.valueOf(e.getMessage()), e);
            }
            if (events == changes) {
                changes.clear();
            }
            return known;
        }

        private void tell(
                long time,
                QueueState state,
                Optional<RecordedDecision.Rules> by,
                Optional<String> answer,
                QueueState after) {
            from = decisions == 0 ? time : from;
            to = time;
            ended = !each.test(
                    new RecordedDecision(decisions++, time, state, by, answer, after, Map.copyOf(reasons), where()));
        }

        private String where() {
            return name + " line " + line;
        }

        private HistoryException wrong(String problem, @Nullable Exception cause) {
            return wrong(problem, cause, numbers.indexOf(number) + 1);
        }

        /** What is wrong with the file before this one. */
        private HistoryException wrongBefore(String problem) {
            return wrong(problem, null, numbers.indexOf(number));
        }

        private HistoryException wrong(String problem, @Nullable Exception cause, int next) {
            String rest = next < numbers.size() ? ", and the files from " + numbers.get(next) + " on" : "";
            String message = files.folder() + ": " + where() + ": " + problem + "\nMaybe go on with what can be read: "
                    + decisions + " decisions before" + rest + ".";
            return cause == null ? new HistoryException(message) : new HistoryException(message, cause);
        }
    }
}
