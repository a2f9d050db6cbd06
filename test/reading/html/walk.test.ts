import { describe, expect, test } from '@jest/globals'
import { walkHtml } from '../../../reading/html/walk.ts'

/** The tags and the texts of an HTML, in order. */
const walked = (html: string, tagsMax = Infinity) => {
  const seen: string[] = []
  let tags = 0
  walkHtml(html, {
    get isDone() {
      return tags >= tagsMax
    },
    text: (from, to) => void seen.push(html.slice(from, to)),
    tag: (_tag, from, to) => {
      tags++
      seen.push(html.slice(from, to))
    },
  })
  return seen
}

describe('where texts, tags and comments of HTML begin and end', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['<b>a</b>', ['<b>', 'a', '</b>']],
    ['a<br/>b', ['a', '<br/>', 'b']],
    ['a < b', ['a < b']],
    ['a <3 <b>c', ['a <3 ', '<b>', 'c']],
    ['a </ b', ['a </ b']],
    ['<o:p>a', ['<o:p>', 'a']],
    ['<h1>a', ['<h1>', 'a']],
    ['<b x="a>b">c', ['<b x="a>b">', 'c']],
    ["<b x='a>b'>c", ["<b x='a>b'>", 'c']],
    ['<b x=a>b>c', ['<b x=a>', 'b>c']],
    ['<b "a>b">c', ['<b "a>', 'b">c']],
    ['<b x="a>b', ['<b x="a>', 'b']],
    [`<b ${'x'.repeat(247)}>c>d`, [`<b ${'x'.repeat(247)}>`, 'c>d']],
    [`<b ${' '.repeat(260)}y=">">c`, [`<b ${' '.repeat(260)}y=">`, '">c']],
    [`<b ${' '.repeat(200)}y=">">c`, [`<b ${' '.repeat(200)}y=">">`, 'c']],
    ['<b', ['<b']],
    ['a<!-- > b -->c', ['a', 'c']],
    ['a<!-->c', ['a', 'c']],
    ['a<!-- b', ['a']],
    ['a<!doctype html>c', ['a', 'c']],
    ['a<?xml?>c', ['a', 'c']],
    ['<style>a</style>b', ['<style>', '</style>', 'b']],
    ['<script>"</b>"</SCRIPT>b', ['<script>', '</SCRIPT>', 'b']],
    ['<title>"</b>"</TITLE>b', ['<title>', '</TITLE>', 'b']],
    ['<template>"</b>"</Template>b', ['<template>', '</Template>', 'b']],
    ['<style>"</b>"</STYLE>b', ['<style>', '</STYLE>', 'b']],
    ['<style>a', ['<style>']],
    [`${'a'.repeat(40)}<b>${'c'.repeat(40)}<i>`, ['a'.repeat(40), '<b>', 'c'.repeat(40), '<i>']],
  ])('%s', (html, seen) => {
    expect(walked(html)).toEqual(seen)
  })

  test('behind sixteen tags that seem to have an unbalanced quote, each tag ends at its first ">"', () => {
    const last = (unclosed: number) =>
      walked(`${`<i ${'x'.repeat(260)}>`.repeat(unclosed)}<b y="a>b">c`).slice(unclosed)
    expect([last(15), last(16)]).toEqual([
      ['<b y="a>b">', 'c'],
      ['<b y="a>', 'b">c'],
    ])
  })

  test('until the reader is done', () => {
    expect(walked('<b>a<i>c<u>d', 2)).toEqual(['<b>', 'a', '<i>'])
  })
})
