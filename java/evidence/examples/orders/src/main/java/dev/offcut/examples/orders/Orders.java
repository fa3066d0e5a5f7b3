package dev.offcut.examples.orders;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What clients call. */
@RestController
class Orders {
  private final Invoices invoices;

  Orders(Invoices invoices) {
    this.invoices = invoices;
  }

  /** Makes the invoice of an order, and returns its signature. */
  @PostMapping("/orders/{number}/invoice")
  String invoice(@PathVariable("number") long number) {
    return Long.toHexString(invoices.sign(number));
  }
}
