/**
 * Prints a line of JSON for each event of a stream, as an EventSource of a version of the npm package `eventsource`
 * reads it. Its arguments: the package, the URL.
 */
const [, name, url] = process.argv
const { EventSource, default: Default } = await import(name)
const source = new (EventSource ?? Default)(url)
const print = ({ type, data }) => console.log(JSON.stringify({ event: type, data }))
source.addEventListener('connected', print)
source.onmessage = print
// Version 5 lets Node exit while it waits to connect again.
setInterval(() => {}, 60_000)
