package dev.offcut.leaks;

import java.nio.file.Path;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacv.FFmpegFrameGrabber;
import org.bytedeco.javacv.FFmpegFrameRecorder;
import org.bytedeco.javacv.Frame;

/** A player that copies the frames of videos. */
public final class Videos {
  private static final int FRAMES = 25;

  private Videos() {}

  /** The second argument is what is not closed: {@code frames} or {@code grabbers}. */
  public static void main(String[] args) throws Exception {
    boolean keepsFrames = args[0].equals("broken") && args[1].equals("frames");
    boolean keepsGrabbers = args[0].equals("broken") && args[1].equals("grabbers");
    int videos = args[1].equals("frames") ? 20 : 50;
    avutil.av_log_set_level(avutil.AV_LOG_ERROR);
    try (Scratch scratch = Scratch.create()) {
      Path video = scratch.path().resolve("video.mp4");
      record(video);
      Observer.begin();
      long frames = 0;
      for (int i = 0; i < videos; i++) {
        frames += play(video, keepsFrames, keepsGrabbers);
      }
      Observer.end();
      System.out.println("frames " + frames);
    }
  }

  private static void record(Path video) throws Exception {
    try (FFmpegFrameRecorder recorder = new FFmpegFrameRecorder(video.toString(), 320, 240);
        Frame frame = new Frame(320, 240, Frame.DEPTH_UBYTE, 3)) {
      recorder.setVideoCodec(avcodec.AV_CODEC_ID_MPEG4);
      recorder.start();
      for (int i = 0; i < FRAMES; i++) {
        recorder.record(frame);
      }
    }
  }

  private static int play(Path video, boolean keepsFrames, boolean keepsGrabbers) throws Exception {
    FFmpegFrameGrabber grabber = new FFmpegFrameGrabber(video.toString()); // the leak: grabbers
    grabber.start(); // the leak: grabbers
    int frames = 0;
    for (Frame frame = grabber.grabImage(); frame != null; frame = grabber.grabImage()) {
      Frame copy = frame.clone(); // the leak: frames
      frames++;
      if (!keepsFrames) {
        copy.close();
      }
    }
    if (!keepsGrabbers) {
      grabber.close();
    }
    return frames;
  }
}
