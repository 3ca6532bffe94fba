package io.gpusched.local;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * How programs share one table, and how a program that died is noticed.
 *
 * The table is a small text that is replaced as a whole, so a program that dies while it writes leaves the old one. Beside it lies
 * an empty file that only carries locks of the operating system, by the byte: byte 0 is held during a transaction, byte 1 + n by
 * program n for as long as it lives. The system releases the locks of a program that ends, however it ends; so a program whose byte
 * can be locked is dead. That needs no process ids, which containers do not share and systems use again.
 *
 * The locks of a file belong to the whole program and go as soon as any handle of that file is closed. Hence the file of locks is
 * never opened anywhere else, and neither closed nor read by anything that an interrupt closes: tryLock and the old streams do not
 * look at interrupts.
 */
final class LeaseFile {
    private static final long PAUSE_NANOS = 200_000;

    private final Path path;
    private final FileChannel locks;
    private long owner;

    private LeaseFile(Path path, FileChannel locks) {
        this.path = path;
        this.locks = locks;
    }

    static LeaseFile open(Path path) {
        try {
            @SuppressWarnings("resource") // Open for as long as the program lives.
            RandomAccessFile file = new RandomAccessFile(path + ".lock", "rw");
            LeaseFile opened = new LeaseFile(path, file.getChannel());
            opened.update(opened::takeOwner);
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException("lease file \"" + path + "\" cannot be opened: " + e, e);
        }
    }

    /** Takes a number whose byte no other program holds, even if the table was lost. */
    private boolean takeOwner(LeaseTable table) {
        do {
            owner = table.nextId();
        } while (tryLock(1 + owner) == null);
        return true;
    }

    long owner() {
        return owner;
    }

    /** Returns whether the program of this number lives. */
    boolean isAlive(long program) {
        if (program == owner) {
            return true;
        }
        FileLock lock = tryLock(1 + program);
        if (lock == null) {
            return true;
        }
        release(lock);
        return false;
    }

    /** Runs a transaction on the table in the file while no other program does. */
    <R> R update(Function<LeaseTable, R> transaction) {
        FileLock lock = tryLock(0);
        while (lock == null) {
            pause();
            lock = tryLock(0);
        }
        try {
            String before = read();
            LeaseTable table = LeaseTable.read(path.toString(), before);
            R result = transaction.apply(table);
            String after = table.write();
            if (!after.equals(before)) {
                write(after);
            }
            return result;
        } catch (IOException e) {
            throw new UncheckedIOException("lease file \"" + path + "\": " + e, e);
        } finally {
            release(lock);
        }
    }

    /** Waits a moment, interrupted or not: the transaction of another program takes less than a millisecond. */
    private static void pause() {
        boolean wasInterrupted = Thread.interrupted();
        LockSupport.parkNanos(PAUSE_NANOS);
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable FileLock tryLock(long position) {
        try {
            return locks.tryLock(position, 1, false);
        } catch (OverlappingFileLockException e) {
            return null; // Held by this program, through another class loader.
        } catch (IOException e) {
            throw new UncheckedIOException("lease file \"" + path + "\" cannot be locked: " + e, e);
        }
    }

    private void release(FileLock lock) {
        try {
            lock.release();
        } catch (IOException e) {
            throw new UncheckedIOException("lease file \"" + path + "\" cannot be unlocked: " + e, e);
        }
    }

    private String read() throws IOException {
        try (FileInputStream in = new FileInputStream(path.toFile())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (FileNotFoundException e) {
            if (Files.exists(path)) {
                throw e;
            }
            return "";
        }
    }

    private void write(String text) throws IOException {
        Path written = Path.of(path + ".new");
        try (FileOutputStream out = new FileOutputStream(written.toFile())) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        Files.move(written, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
