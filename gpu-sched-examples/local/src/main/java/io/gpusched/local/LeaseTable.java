package io.gpusched.local;

import io.gpusched.json.JsonFormat;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which leases are held and which requests wait, the first come first; a line for each in its written form. Confined to one
 * transaction of a {@link LeaseStore}.
 */
final class LeaseTable {
    private static final String HEADER = "gpu-sched leases, version 1";

    /** A lease: its number, the program that holds it, and what it holds. */
    private record Held(long id, long owner, long pid, Placement placement) {
        String line() {
            return "held " + id + " " + owner + " " + pid + " " + JsonFormat.PLACEMENT.write(placement);
        }
    }

    /** A request that waits: its number and the program that asks. */
    private record Waiting(long id, long owner, long pid) {
        String line() {
            return "waiting " + id + " " + owner + " " + pid;
        }
    }

    private @Nullable Node machine;
    private long next;
    private final List<Held> held = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private boolean hasNews;

    /** Returns an equal table that may change without this one. */
    LeaseTable copy() {
        LeaseTable copy = new LeaseTable();
        copy.machine = machine;
        copy.next = next;
        copy.held.addAll(held);
        copy.waiting.addAll(waiting);
        return copy;
    }

    /** Returns a number that was never returned before. */
    long nextId() {
        return next++;
    }

    /** Returns what machine the leases are of, if that has been said. */
    Optional<Node> machine() {
        return Optional.ofNullable(machine);
    }

    void setMachine(Node node) {
        machine = node;
    }

    List<Placement> placements() {
        return held.stream().map(Held::placement).toList();
    }

    int heldCount() {
        return held.size();
    }

    int waitingCount() {
        return waiting.size();
    }

    /** Appends a request to the waiting ones. */
    void enqueue(long id, long owner, long pid) {
        waiting.add(new Waiting(id, owner, pid));
    }

    /** Returns how many requests came before this one and still wait. */
    int before(long id) {
        int count = 0;
        while (count < waiting.size() && waiting.get(count).id() != id) {
            count++;
        }
        return count;
    }

    /** Turns a request that waits into a lease. */
    void grant(long id, Placement placement) {
        for (Waiting request : waiting) {
            if (request.id() == id) {
                held.add(new Held(id, request.owner(), request.pid(), placement));
            }
        }
        abandon(id);
    }

    /** Removes a request that waits. */
    boolean abandon(long id) {
        boolean was = waiting.removeIf(request -> request.id() == id);
        hasNews |= was;
        return was;
    }

    /** Removes a lease. */
    boolean release(long id) {
        boolean was = held.removeIf(lease -> lease.id() == id);
        hasNews |= was;
        return was;
    }

    /** Removes what belongs to programs that live no longer, and returns how many leases and requests those were. */
    int removeDead(LongPredicate isAlive) {
        int before = held.size() + waiting.size();
        held.removeIf(lease -> !isAlive.test(lease.owner()));
        waiting.removeIf(request -> !isAlive.test(request.owner()));
        int removed = before - held.size() - waiting.size();
        hasNews |= removed > 0;
        return removed;
    }

    /** Returns whether a request that waits may have a better chance than when this table was made. */
    boolean hasNews() {
        return hasNews;
    }

    /** Returns the written form. */
    String write() {
        StringBuilder text =
                new StringBuilder(HEADER).append("\nnext ").append(next).append('\n');
        machine()
                .ifPresent(node -> text.append("machine ")
                        .append(JsonFormat.NODE.write(node))
                        .append('\n'));
        held.forEach(lease -> text.append(lease.line()).append('\n'));
        waiting.forEach(request -> text.append(request.line()).append('\n'));
        return text.toString();
    }

    /**
     * Reads the written form; an empty text is an empty table.
     *
     * @throws IllegalStateException if it is something else; it names the line
     */
    static LeaseTable read(String file, String text) {
        LeaseTable table = new LeaseTable();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            try {
                table.readLine(i, lines.get(i));
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalStateException(
                        "lease file \"" + file + "\", line " + (i + 1) + ": \"" + lines.get(i)
                                + "\" is no line of a lease file\n"
                                + "Maybe it is of another version; deleted while no program uses it, it is made"
                                + " again.",
                        e);
            }
        }
        return table;
    }

    private void readLine(int index, String line) {
        if (index == 0) {
            if (!line.equals(HEADER)) {
                throw new IllegalArgumentException(line);
            }
            return;
        }
        String[] words = line.split(" ", 2);
        switch (words[0]) {
            case "next" -> next = Long.parseLong(words[1]);
            case "machine" -> machine = JsonFormat.NODE.read(words[1]);
            case "held" -> {
                String[] fields = words[1].split(" ", 4);
                held.add(new Held(
                        Long.parseLong(fields[0]),
                        Long.parseLong(fields[1]),
                        Long.parseLong(fields[2]),
                        JsonFormat.PLACEMENT.read(fields[3])));
            }
            case "waiting" -> {
                String[] fields = words[1].split(" ", 3);
                enqueue(Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]));
            }
            default -> throw new IllegalArgumentException(line);
        }
    }
}
