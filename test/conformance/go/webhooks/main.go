// Reads a JSON array of {secret, headers, body} from standard input and prints which of them the library accepts.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type delivery struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func main() {
	var deliveries []delivery
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		log.Fatal(err)
	}
	accepted := []bool{}
	for _, each := range deliveries {
		webhook, err := standardwebhooks.NewWebhook(each.Secret)
		if err != nil {
			log.Fatal(err)
		}
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		accepted = append(accepted, webhook.Verify([]byte(each.Body), headers) == nil)
	}
	json.NewEncoder(os.Stdout).Encode(accepted)
}
