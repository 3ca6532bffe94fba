package io.gpusched.kubernetes.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that says exactly what a test wants said, well-formed or not. */
final class RawClient implements AutoCloseable {
    private final Socket socket;

    private RawClient(Socket socket) {
        this.socket = socket;
    }

    static RawClient to(WebServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(120_000);
        return new RawClient(socket);
    }

    static String post(String path, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
    }

    RawClient say(String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
        return this;
    }

    /** Says something as often, as long as the other side listens. */
    RawClient sayRepeatedly(String text, int times) {
        try {
            for (int i = 0; i < times; i++) {
                say(text);
            }
        } catch (IOException closed) {
            // the other side has closed; what it said before is still to be read
        }
        return this;
    }

    /** Returns the whole of one answer: its head and a body of its content length. */
    String answer() throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = in.read();
            if (read < 0) {
                return head.toString();
            }
            head.append((char) read);
        }
        int length = 0;
        for (String line : head.toString().split("\r\n")) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).trim());
            }
        }
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    /** Returns whether the other side closes the connection within the socket's time. */
    boolean isClosedByServer() throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
