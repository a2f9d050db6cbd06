// Prints a line of JSON for each event of the stream at the URL in the first argument.
package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/r3labs/sse/v2"
)

func main() {
	lines := json.NewEncoder(os.Stdout)
	client := sse.NewClient(os.Args[1])
	// It returns without an error when the server ends the stream, and keeps the last event id.
	for {
		err := client.SubscribeRaw(func(event *sse.Event) {
			lines.Encode(map[string]string{"event": string(event.Event), "data": string(event.Data)})
		})
		if err != nil {
			log.Fatal(err)
		}
	}
}
