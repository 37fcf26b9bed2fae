/* keys.h: the keys and buttons of the window, for its list and for `otok view --help`: a line each,
   with a tab between key and effect. */
#ifndef OTOK_KEYS_H
#define OTOK_KEYS_H

static const char otok_keys[] = "Space\trun while held\n"
                                "Enter\trun or play, pause\n"
                                "N\tone iteration, or the next state\n"
                                ", .\tslower, faster\n"
                                "X\tflat out, paced\n"
                                "Left, Right\tto the state before, after\n"
                                "Home, End\tto the first state, the last\n"
                                "Z\thold this state beside others\n"
                                "Backspace\trestart\n"
                                "Shift\train while held\n"
                                "right button\tpour water\n"
                                "V\ta river here\n"
                                "[ ]\tsize of the brush\n"
                                "W A S D Q E\tmove\n"
                                "left button\trotate; Ctrl arrows, too\n"
                                "middle button\tshift\n"
                                "wheel\tnearer, farther; Page Up, Down, too\n"
                                "O\torbit, fly\n"
                                "0\tshow everything\n"
                                "1 .. 9\tstyles, in the order of --style\n"
                                "L\tnext style\n"
                                "G\tnext field\n"
                                "R\twireframe\n"
                                "T\tsection: from here, to there, none\n"
                                "C\tscale, north, time\n"
                                "F\tmap\n"
                                "B\tglobe, of a planet\n"
                                "I\tvalues under the cursor\n"
                                "Tab\tpanel, if it was built\n"
                                "K\tsave checkpoint\n"
                                "P\tsave picture\n"
                                "M\tfilm of each state, end\n"
                                "H\tthis list; Escape closes it\n"
                                "Ctrl Q\tclose\n";

#endif
