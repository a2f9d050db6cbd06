// Reads messages with enmime: for each path on standard input it prints a line of JSON.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"time"

	"github.com/jhillyerd/enmime/v2"
)

type person struct {
	Name    string `json:"name"`
	Address string `json:"address"`
}

type attachment struct {
	Filename string `json:"filename"`
	Size     int    `json:"size"`
	Sha256   string `json:"sha256"`
}

type message struct {
	Subject     string       `json:"subject"`
	From        []person     `json:"from"`
	To          []person     `json:"to"`
	Date        string       `json:"date"`
	Text        string       `json:"text"`
	HTML        string       `json:"html"`
	Attachments []attachment `json:"attachments"`
}

func main() {
	paths := bufio.NewScanner(os.Stdin)
	lines := json.NewEncoder(os.Stdout)
	for paths.Scan() {
		lines.Encode(read(paths.Text()))
	}
}

// Returns nil for a message that enmime refuses.
func read(path string) *message {
	file, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	// Without it, enmime makes a text of the HTML.
	parser := enmime.NewParser(enmime.DisableTextConversion(true))
	envelope, err := parser.ReadEnvelope(file)
	if err != nil {
		return nil
	}
	seen := message{
		Subject:     envelope.GetHeader("Subject"),
		From:        people(envelope, "From"),
		To:          people(envelope, "To"),
		Text:        envelope.Text,
		HTML:        envelope.HTML,
		Attachments: []attachment{},
	}
	if date, err := envelope.Date(); err == nil {
		seen.Date = date.UTC().Format(time.RFC3339)
	}
	for _, parts := range [][]*enmime.Part{envelope.Attachments, envelope.Inlines, envelope.OtherParts} {
		for _, part := range parts {
			sum := sha256.Sum256(part.Content)
			seen.Attachments = append(seen.Attachments,
				attachment{part.FileName, len(part.Content), hex.EncodeToString(sum[:])})
		}
	}
	return &seen
}

func people(envelope *enmime.Envelope, field string) []person {
	found := []person{}
	addresses, _ := envelope.AddressList(field)
	for _, address := range addresses {
		found = append(found, person{address.Name, address.Address})
	}
	return found
}
