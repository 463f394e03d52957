"""What the workbench decides, without a widget: the queue, verbs and undo, what is typed behind `/`."""
