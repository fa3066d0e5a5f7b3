package dev.offcut.leaks;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.ByteArrayInputStream;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Long texts are cut to 64 tokens. The library keeps the rest of each. */
public final class Tokens {
  private static final int TEXTS = 300;
  private static final int WORDS = 4_000;
  private static final int VOCABULARY = 200;

  private Tokens() {}

  public static void main(String[] args) throws Exception {
    String vocabulary =
        IntStream.range(1, VOCABULARY)
            .mapToObj(i -> ", \"w" + i + "\": " + i)
            .collect(Collectors.joining());
    String text =
        IntStream.range(0, WORDS)
            .mapToObj(i -> "w" + (1 + i % (VOCABULARY - 1)))
            .collect(Collectors.joining(" "));
    Map<String, String> cut =
        Map.of("truncation", "true", "maxLength", "64", "addSpecialTokens", "false");
    String model =
        """
      {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
       "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null,
       "decoder": null,
       "model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": {"[UNK]": 0%s}}}
      """
            .formatted(vocabulary);
    try (HuggingFaceTokenizer tokenizer =
        HuggingFaceTokenizer.newInstance(new ByteArrayInputStream(model.getBytes(UTF_8)), cut)) {
      Observer.begin();
      long sum = 0;
      for (int i = 0; i < TEXTS; i++) {
        sum += tokens(tokenizer, text);
      }
      Observer.end();
      System.out.println("sum " + sum);
    }
  }

  private static int tokens(HuggingFaceTokenizer tokenizer, String text) {
    return tokenizer.encode(text).getIds().length; // the leak
  }
}
