"""Styles of the screens; colours of cards are in `terminal/screen.py`."""

CSS = """
Screen { background: #15191d; color: #e6e6e6; }
BoardView { height: 1fr; width: 1fr; }
KeyBar { height: 1; background: #22272c; }
Line, Line:focus {
    height: 1; border: none; padding: 0 1; background: #22272c; color: #ffffff;
}
.page { align: center middle; background: #000000 60%; }
.page > Vertical {
    width: 90%; max-width: 96; height: auto; max-height: 94%;
    background: #1d2328; border: round #7fb08f; padding: 0 1;
}
.page .title { text-style: bold; color: #9fd0af; height: 1; }
.page VerticalScroll {
    height: auto; max-height: 62vh;
    scrollbar-size-vertical: 1; scrollbar-color: #7fb08f; scrollbar-background: #22272c;
}
.page Static.body { height: auto; }
.page Horizontal { height: 1; margin: 1 0 0 0; }
.page Button {
    height: 1; min-width: 8; border: none; margin: 0 1 0 0; padding: 0 1;
    background: #3a3f44; color: #ffffff; text-style: none;
}
.page Button:focus, .page Button.-active { background: #7fb08f; color: #000000; text-style: bold;
    border: none; }
.page OptionList { height: auto; max-height: 62vh; border: none; background: #1d2328; }
.page Input { height: 1; border: none; background: #22272c; }
.page Markdown { background: #1d2328; }
.page MarkdownH1, .page MarkdownH2, .page MarkdownH3 { color: #9fd0af; }
.page MarkdownBlockQuote { border-left: outer #7fb08f; }
"""
