/**
 * Prints a line of JSON for each event of a stream, as the npm package `eventsource-client` reads it. Its arguments: the
 * package, the URL.
 */
const [, name, url] = process.argv
const { createEventSource } = await import(name)
createEventSource({
  url,
  onMessage: ({ event, data }) => console.log(JSON.stringify({ event: event ?? 'message', data })),
})
